// The `sup` command: hands the process over to `run` as a world of ports, and ends with its status.
import { join } from 'node:path';
import type { WriteStream } from 'node:tty';
import { ownEnvironment } from './own-environment.ts';
import { run } from './run.ts';
import type { CodeCache } from './starting/code-cache.ts';
import { keyboardOf } from './watch/screen/keyboard.ts';
import type { Screen, World } from './world.ts';

/** Put in by the bundler from package.json. */
declare const __SUP_VERSION__: string;
/** Handed in by who runs this text. */
declare const __SUP_CODE_CACHE__: CodeCache;

/** Opened when it is looked at or written to, which takes a while and most commands do with one of the two only. */
const screenOf = (open: () => WriteStream, gone: AbortController): Screen => {
  let opened: WriteStream | undefined;
  const stream = (): WriteStream => (opened ??= open().on('error', () => gone.abort()));
  return {
    get terminal() {
      return stream().isTTY;
    },
    // A terminal that does not know its size says 0.
    columns: () => (stream().isTTY ? stream().columns || 80 : undefined),
    rows: () => (stream().isTTY ? stream().rows || 24 : undefined),
    write: (text) => {
      const to = stream();
      if (!gone.signal.aborted) to.write(text);
    },
  };
};

const onInterrupt: World['onInterrupt'] = (listener) => {
  process.on('SIGINT', listener).on('SIGTERM', listener);
  return () => void process.off('SIGINT', listener).off('SIGTERM', listener);
};

const reader = new AbortController();
const world: World = {
  stdout: screenOf(() => process.stdout, reader),
  stderr: screenOf(() => process.stderr, new AbortController()),
  environment: ownEnvironment(),
  directory: process.cwd(),
  uid: process.getuid?.() ?? 0,
  version: __SUP_VERSION__,
  codeCache: __SUP_CODE_CACHE__,
  supervisor: join(import.meta.dirname, 'supervisor.js'),
  guardian: join(import.meta.dirname, 'sup-guardian'),
  onInterrupt,
  keyboard: keyboardOf(process),
  leave: (status) => process.exit(status),
  readerGone: reader.signal,
};

const main = async (): Promise<void> => {
  const status = await run(process.argv.slice(2), world);
  // Ends at once, whatever connection a command that failed left open, but not before everything written is out.
  if (status !== undefined) process.stdout.on('error', () => undefined).write('', () => process.exit(status));
};

void main();
