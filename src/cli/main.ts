// The `sup` command: calls `run` with the ports of this process and exits with its status.
import { join } from 'node:path';
import { ownEnvironment } from '../os/choose-data-directory.ts';
import { run } from './command-line.ts';
import type { CodeCache } from '../supervisor/loader/run-program.ts';
import { standardStream } from './standard-stream.ts';
import { keyboardOf } from './watch/keyboard.ts';
import type { World } from './process-ports.ts';
import { readlinkSync } from 'node:fs';
import { isMissing } from '../os/errno.ts';

/** Returns the working directory. If it was removed, changes to `/`, because Node needs a directory. */
const workingDirectory = (): string => {
  try {
    return process.cwd();
  } catch (error) {
    if (!isMissing(error)) throw error;
    const name = readlinkSync('/proc/self/cwd');
    process.chdir('/');
    return name;
  }
};

/** The version of this program. The bundler inserts the version of package.json. */
declare const __SUP_VERSION__: string;
/**
 * Says whether this program runs from its code cache, or why it does not. The loader that runs the program
 * sets this value.
 */
declare const __SUP_CODE_CACHE__: CodeCache;

const onInterrupt: World['onInterrupt'] = (listener) => {
  process.on('SIGINT', listener).on('SIGTERM', listener);
  return () => void process.off('SIGINT', listener).off('SIGTERM', listener);
};

const stdout = standardStream(1, () => process.stdout);
const stderr = standardStream(2, () => process.stderr);
const world: World = {
  stdout: stdout.screen,
  stderr: stderr.screen,
  environment: ownEnvironment(),
  directory: workingDirectory(),
  uid: process.getuid?.() ?? 0,
  version: __SUP_VERSION__,
  codeCache: __SUP_CODE_CACHE__,
  supervisor: join(import.meta.dirname, 'supervisor.js'),
  guardian: join(import.meta.dirname, 'sup-guardian'),
  onInterrupt,
  keyboard: keyboardOf(process),
  input: () => process.stdin,
  leave: (status) => process.exit(status),
  readerGone: stdout.broken,
  written: stdout.written,
};

const main = async (): Promise<void> => {
  const status = await run(process.argv.slice(2), world);
  if (status === undefined) return;
  // Exits even if a failed command has left a connection open, but only after all output is written.
  await Promise.all([stdout.flushed(), stderr.flushed()]);
  process.exit(status);
};

void main();
