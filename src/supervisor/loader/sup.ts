#!/usr/bin/env node
// The program `sup`. `sup --version` answers without loading the rest.
import { writeSync } from 'node:fs';
import { hearEarly, keepDebuggerClosed } from '../../os/early-signals.ts';
import { runProgram } from './run-program.ts';

/** The version, inserted by the bundler from package.json. */
declare const __SUP_VERSION__: string;

/** Prints the version. True if it is written or the reader is gone; false after any other error. */
const tellVersion = (): boolean => {
  try {
    writeSync(1, `sup ${__SUP_VERSION__}\n`);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPIPE';
  }
};

const isVersion = process.argv.length === 3 && process.argv[2] === '--version';
// If the version could not be written, load the full program, which reports why.
if (!isVersion || !tellVersion()) {
  keepDebuggerClosed(process);
  // Sets handlers early: process 1 of a container receives only signals for which it has a handler.
  if (process.argv[2] === 'supervise') hearEarly(process);
  runProgram(import.meta.filename);
}
