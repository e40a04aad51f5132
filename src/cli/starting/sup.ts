#!/usr/bin/env node
// `sup`, as it is started. Its version is all that some ask for: they do not wait for the rest.
import { writeSync } from 'node:fs';
import { runProgram } from './run-program.ts';

/** Put in by the bundler from package.json. */
declare const __SUP_VERSION__: string;

const tellVersion = (): void => {
  try {
    writeSync(1, `sup ${__SUP_VERSION__}\n`);
  } catch {
    // Nobody reads it.
  }
};

if (process.argv.length === 3 && process.argv[2] === '--version') tellVersion();
else runProgram(import.meta.filename);
