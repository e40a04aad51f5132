#!/usr/bin/env node
// The `sup` command: hands the process over to `run` as a world of ports, and ends with its status.
import { fileURLToPath } from 'node:url';
import type { WriteStream } from 'node:tty';
import { ownEnvironment } from './own-environment.ts';
import { run } from './run.ts';
import { keyboardOf } from './watch/screen/keyboard.ts';
import type { Screen, World } from './world.ts';

/** Put in by the bundler from package.json. */
declare const __SUP_VERSION__: string;

const screenOf = (stream: WriteStream, gone: AbortController): Screen => {
  stream.on('error', () => gone.abort());
  return {
    terminal: stream.isTTY,
    // A terminal that does not know its size says 0.
    columns: () => (stream.isTTY ? stream.columns || 80 : undefined),
    rows: () => (stream.isTTY ? stream.rows || 24 : undefined),
    write: (text) => {
      if (!gone.signal.aborted) stream.write(text);
    },
  };
};

const onInterrupt: World['onInterrupt'] = (listener) => {
  process.on('SIGINT', listener).on('SIGTERM', listener);
  return () => void process.off('SIGINT', listener).off('SIGTERM', listener);
};

const reader = new AbortController();
const world: World = {
  stdout: screenOf(process.stdout, reader),
  stderr: screenOf(process.stderr, new AbortController()),
  environment: ownEnvironment(),
  directory: process.cwd(),
  uid: process.getuid?.() ?? 0,
  version: __SUP_VERSION__,
  supervisor: fileURLToPath(new URL('./supervisor.js', import.meta.url)),
  guardian: fileURLToPath(new URL('./sup-guardian', import.meta.url)),
  onInterrupt,
  keyboard: keyboardOf(process),
  leave: (status) => process.exit(status),
  readerGone: reader.signal,
};

const status = await run(process.argv.slice(2), world);
// Ends at once, whatever connection a command that failed left open, but not before everything written is out.
if (status !== undefined) process.stdout.write('', () => process.exit(status));
