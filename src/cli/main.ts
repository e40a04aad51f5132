// The `sup` command: hands the process over to `run` as a world of ports, and ends with its status.
import { join } from 'node:path';
import { ownEnvironment } from '../os/process-environment.ts';
import { run } from './run.ts';
import type { CodeCache } from '../supervisor/loader/code-cache.ts';
import { standardStream } from './standard-stream.ts';
import { keyboardOf } from './watch/screen/keyboard.ts';
import { workingDirectory } from './working-directory.ts';
import type { World } from './world.ts';

/** Put in by the bundler from package.json. */
declare const __SUP_VERSION__: string;
/** Handed in by who runs this text. */
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
  leave: (status) => process.exit(status),
  readerGone: stdout.broken,
  written: stdout.written,
};

const main = async (): Promise<void> => {
  const status = await run(process.argv.slice(2), world);
  if (status === undefined) return;
  // Ends at once, whatever connection a command that failed left open, but not before everything written is out.
  await Promise.all([stdout.flushed(), stderr.flushed()]);
  process.exit(status);
};

void main();
