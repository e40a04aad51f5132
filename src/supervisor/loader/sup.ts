#!/usr/bin/env node
// `sup`, as it is started. `sup --version` does not wait for the rest to load.
import { writeSync } from 'node:fs';
import { hearEarly, keepDebuggerClosed } from '../../os/early-signals.ts';
import { runProgram } from './run-program.ts';

/** Inserted by the bundler from package.json. */
declare const __SUP_VERSION__: string;

/** Prints the version. True if it is written, or if the reader is gone. */
const tellVersion = (): boolean => {
  try {
    writeSync(1, `sup ${__SUP_VERSION__}\n`);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPIPE';
  }
};

const isVersion = process.argv.length === 3 && process.argv[2] === '--version';
// If writing failed, the program reports why.
if (!isVersion || !tellVersion()) {
  keepDebuggerClosed(process);
  // As process 1 of a container it receives only the signals that it listens to.
  if (process.argv[2] === 'supervise') hearEarly(process);
  runProgram(import.meta.filename);
}
