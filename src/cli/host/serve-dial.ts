// `sup dial-stdio`: the command that `sup --host` runs on the other machine by ssh (D-166). It carries out
// one request: a command line in this process, or a connection to the control socket. The process opens no
// port, and exits when its connection ends.
import { existsSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { contextOf } from '../context.ts';
import type { Flag } from '../grammar/option-table.ts';
import { usageError } from '../grammar/usage-error.ts';
import { failureOf } from '../report-error.ts';
import type { Screen, World } from '../process-ports.ts';
import { controlSocketOf } from '../../client/control-socket.ts';
import { lineReader, type LineReader } from '../../client/host/line-reader.ts';
import { isForbidden } from '../../os/errno.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import {
  ALIVE_MS,
  type ControlRequest,
  decodeInput,
  decodeRequest,
  DIAL,
  type DialFrame,
  type DialInput,
  type DialGreeting,
  type DialRequest,
  LONGEST_FRAME,
  LONGEST_OUTPUT,
  type RunRequest,
  type SeenScreen,
} from '../../client/host/dial-frames.ts';
import { EXIT, type CommandStatus } from '../../streams/wire/command-exit-status.ts';

/** Exit status after a hangup (SIGHUP), as a shell shows it. */
const HUNG_UP = 129;

interface Dialled {
  readonly world: World;
  /** Runs a command line, as `sup` does. */
  readonly run: (line: readonly string[], world: World) => Promise<CommandStatus | undefined>;
}

type Say = (message: DialFrame | DialGreeting) => void;

/** Returns the beginning of a text that fits into one message; up to the end of a line if possible. */
const partOf = (text: string): string => {
  if (text.length <= LONGEST_OUTPUT) return text;
  const end = text.lastIndexOf('\n', LONGEST_OUTPUT - 1) + 1;
  return text.slice(0, end === 0 ? LONGEST_OUTPUT : end);
};

/** Returns a screen that sends its text to the user's machine. */
const screenFor = (tag: 'out' | 'err', seen: () => SeenScreen, say: Say): Screen => ({
  terminal: seen().terminal,
  columns: () => seen().columns,
  rows: () => seen().rows,
  write: (text) => {
    for (let rest = text; rest !== '';) {
      const part = partOf(rest);
      say({ tag, text: part });
      rest = rest.slice(part.length);
    }
  },
});

/** The command's listeners for the user's input, and the size of the user's terminal. */
interface Keys {
  size: Omit<SeenScreen, 'terminal'>;
  readonly resized: Set<() => void>;
  readonly interrupted: Set<() => void>;
  readonly typed: Set<(text: string) => void>;
  /** The part of the user's standard input that has arrived. */
  readonly input: PassThrough;
}

/**
 * Returns the `World` in which the command runs: this process, but with the screens and the keyboard of the
 * user's machine.
 */
const worldFor = (
  { stdout, stderr, keyboard, environment, dataDir }: RunRequest & { readonly dataDir?: string },
  own: World,
  { keys, say }: { readonly keys: Keys; readonly say: Say },
): World => ({
  ...own,
  isRemote: true,
  input: () => keys.input,
  stdout: screenFor('out', () => ({ ...stdout, ...keys.size }), say),
  stderr: screenFor('err', () => stderr, say),
  environment: {
    ...own.environment,
    ...environment,
    ...(dataDir !== undefined && { SUP_DATA_DIR: dataDir }),
  },
  onInterrupt: (listener) => {
    keys.interrupted.add(listener);
    return () => keys.interrupted.delete(listener);
  },
  keyboard: {
    ...own.keyboard,
    isThere: keyboard,
    onTyped: (listener) => {
      keys.typed.add(listener);
      say({ tag: 'keys', wanted: true });
      return () => {
        keys.typed.delete(listener);
        say({ tag: 'keys', wanted: false });
      };
    },
    onResize: (listener) => {
      keys.resized.add(listener);
      return () => keys.resized.delete(listener);
    },
    // Ctrl-Z does nothing, because the terminal is on the user's machine.
    suspension: () => ({ suspend: () => undefined, remove: () => undefined }),
  },
});

/** Adds a part of standard input; without bytes, ends it. */
const takeInput = (bytes: Uint8Array | undefined, { input }: Keys): void => {
  if (input.writableEnded) return;
  if (bytes === undefined) input.end();
  else input.write(bytes);
};

/** Passes an input of the user to the command. If the command does not listen for Ctrl-C, Ctrl-C ends it. */
const passOn = (input: DialInput, keys: Keys, leave: World['leave']): void => {
  if (input.tag === 'input') takeInput(input.bytes, keys);
  if (input.tag === 'typed') keys.typed.forEach((listener) => listener(input.text));
  if (input.tag === 'resized') {
    keys.size = { columns: input.columns, rows: input.rows };
    keys.resized.forEach((listener) => listener());
  }
  if (input.tag !== 'interrupt') return;
  if (keys.interrupted.size === 0) leave(EXIT.interrupted);
  keys.interrupted.forEach((listener) => listener());
};

/** Passes the user's input to the command. If the connection is lost, exits as after a hangup. */
const followUser = async (lines: LineReader, keys: Keys, leave: World['leave']): Promise<void> => {
  for (;;) {
    const line = await lines.next().catch(() => undefined);
    if (line === undefined) break;
    const input = decodeInput(line);
    if (input !== undefined) passOn(input, keys, leave);
  }
  leave(HUNG_UP);
};

const carryOut = async (
  request: RunRequest & { readonly dataDir?: string },
  { world, run }: Dialled,
  { lines, say }: { readonly lines: LineReader; readonly say: Say },
): Promise<CommandStatus> => {
  const missing = request.manifests.find((path) => !existsSync(resolve(world.directory, path)));
  if (missing !== undefined) {
    say({ tag: 'missing', path: missing });
    return EXIT.usage;
  }
  const keys: Keys = {
    ...{ size: {}, resized: new Set(), interrupted: new Set(), typed: new Set() },
    input: new PassThrough(),
  };
  const leave: World['leave'] = (status) => {
    say({ tag: 'exit', status });
    void world.written().finally(() => world.leave(status));
  };
  void followUser(lines, keys, leave);
  const alive = setInterval(() => say({ tag: 'alive' }), ALIVE_MS);
  const status = await run(request.line, { ...worldFor(request, world, { keys, say }), leave });
  clearInterval(alive);
  say({ tag: 'exit', status: status ?? EXIT.failed });
  return EXIT.done;
};

/** Resolves to the connected control socket. Rejects with ERR0206 or ERR0701. */
const controlSocket = (dataDir: string): Promise<Socket> =>
  new Promise((settle, reject) => {
    const path = controlSocketOf(dataDir);
    const socket = connectSocket(path);
    const detail = 'the control socket may not be opened by this user';
    socket
      .once('connect', () => settle(socket))
      .once('error', (error) =>
        reject(
          failure(
            isForbidden(error) ? { code: 'ERR0701', file: path, detail } : { code: 'ERR0206', dataDir },
          ),
        ),
      );
  });

/** Relays bytes between the connection and the control socket, until one of them ends. */
const bridge = async (
  { sys, dataDir: given }: ControlRequest & { readonly dataDir?: string },
  { world }: Dialled,
  { lines, say }: { readonly lines: LineReader; readonly say: Say },
): Promise<CommandStatus> => {
  const environment = { ...world.environment, ...(given !== undefined && { SUP_DATA_DIR: given }) };
  const { dataDir } = contextOf(new Set<Flag>(sys ? ['sys'] : []), { ...world, environment });
  const socket = await controlSocket(dataDir);
  const input = world.input();
  say({ tag: 'connected' });
  socket.write(await lines.leave());
  input.pipe(socket).pipe(process.stdout);
  await new Promise<void>((settle) => {
    socket.once('close', settle).on('error', () => undefined);
    input.once('close', settle).once('end', settle);
  });
  return EXIT.done;
};

/** Serves one request from standard input. Resolves to the exit status of this process. */
export const serveDial = async (dialled: Dialled): Promise<CommandStatus> => {
  const { world } = dialled;
  if (world.keyboard.isThere)
    throw usageError('sup --host runs this on the other machine', 'sup status --host <host>');
  const say: Say = (message) => world.stdout.write(`${JSON.stringify(message)}\n`);
  say({ dial: DIAL, version: world.version });
  const lines = lineReader(world.input(), LONGEST_FRAME);
  const first = await lines.next().catch(() => undefined);
  const request: DialRequest | undefined = first === undefined ? undefined : decodeRequest(first);
  if (request === undefined) return EXIT.usage;
  try {
    if (request.ask === 'run') return await carryOut(request, dialled, { lines, say });
    return await bridge(request, dialled, { lines, say });
  } catch (thrown) {
    say({ tag: 'refused', error: failureOf(thrown).document });
    return EXIT.failed;
  }
};
