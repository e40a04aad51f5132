#!/usr/bin/env node
// `sup`, as it is started. Its version is all that some ask for: they do not wait for the rest.
import { writeSync } from 'node:fs';
import { hearEarly } from '../../os/early-signals.ts';
import { keepDebuggerClosed } from '../../os/no-debugger.ts';
import { runProgram } from './run-program.ts';

/** Put in by the bundler from package.json. */
declare const __SUP_VERSION__: string;

/** Whether it was told, as far as anybody reads it. */
const tellVersion = (): boolean => {
  try {
    writeSync(1, `sup ${__SUP_VERSION__}\n`);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPIPE';
  }
};

const isVersion = process.argv.length === 3 && process.argv[2] === '--version';
// What keeps it from being written is told by the program.
if (!isVersion || !tellVersion()) {
  keepDebuggerClosed(process);
  // As process 1 of a container it gets only what it listens to.
  if (process.argv[2] === 'supervise') hearEarly(process);
  runProgram(import.meta.filename);
}
