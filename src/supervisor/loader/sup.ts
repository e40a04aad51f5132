#!/usr/bin/env node
// The program `sup`. `sup --version` answers without loading the rest of the program.
import { writeSync } from 'node:fs';
import { recordEarlySignals, keepDebuggerClosed } from '../../os/early-signals.ts';
import { runParts } from './run-parts.ts';
import { type Load, runOrReport } from './run-program.ts';

/** The version, inserted by the bundler from package.json. */
declare const __SUP_VERSION__: string;
/** Identifies this build; inserted by the build. */
declare const __SUP_BUILD__: string;
/**
 * The `require` of Node, which exists because the build makes a CommonJS module of this file. `createRequire`
 * is not used, because it would load much of Node.
 */
declare const require: Load;

/**
 * Prints the version. Returns true if it was written, or if the reader is gone; false after any other error.
 */
const tellVersion = (): boolean => {
  try {
    writeSync(1, `sup ${__SUP_VERSION__}\n`);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPIPE';
  }
};

const isVersion = process.argv.length === 3 && process.argv[2] === '--version';
// If the version cannot be written, the full program is loaded, which reports the reason.
if (!isVersion || !tellVersion()) {
  keepDebuggerClosed(process);
  // Handlers are set early, because process 1 of a container receives only signals for which it has a
  // handler.
  if (process.argv[2] === 'supervise') recordEarlySignals(process);
  runOrReport(() => runParts(import.meta.filename, __SUP_BUILD__, require));
}
