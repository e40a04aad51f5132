// A connection to `sup dial-stdio` on another machine, through the user's own `ssh` (D-166, `docs/hosts.md`).
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import { ClientFailure, failedWith } from '../client-failure.ts';
import { type LineReader, lineReader } from './line-reader.ts';
import type { SupError } from '../../streams/domain/errors/error.ts';
import { ms } from '../../streams/domain/time.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import { shownLine } from '../../streams/views/words/foreign-text.ts';
import { ALIVE_MS, DIAL, decodeGreeting, type DialGreeting, LONGEST_FRAME } from './dial-frames.ts';

/** Another machine, with a data directory if the user named one. */
export interface HostPlace {
  /** The text that the user wrote. */
  readonly host: string;
  /** The destination argument of `ssh`: a name of its configuration, `user@box` or `ssh://user@box:2222`. */
  readonly destination: string;
  readonly dataDir?: string;
}

const SCHEME = 'ssh://';

/**
 * Reads a text such as `user@box`, or with a data directory `user@box:/srv/sup`. Returns `undefined` if the
 * text names no machine.
 */
export const hostPlace = (host: string): HostPlace | undefined => {
  // ssh would read a destination that begins with a dash as an option.
  if (host.startsWith('-') || shownLine(host) !== host || host.includes(' ')) return undefined;
  const scheme = host.startsWith(SCHEME) ? SCHEME : '';
  const rest = host.slice(scheme.length);
  const slash = rest.indexOf('/');
  const name = slash < 0 ? rest : rest.slice(0, slash).replace(/:$/, '');
  if (name === '') return undefined;
  return { host, destination: scheme + name, ...(slash >= 0 && { dataDir: rest.slice(slash) }) };
};

/**
 * Time limits for connecting, ms. `ASKING_MS` applies if ssh may ask for a password, because a user types
 * slowly.
 */
const BATCH_MS = 20_000;
const ASKING_MS = 120_000;
/** How long the other machine may send no message, ms, before it is considered hung. */
const SILENCE_MS = 4 * ALIVE_MS;
/**
 * `NO_SSH`: exit status of the shell command `START` if `ssh` is not installed. `FAILED`: exit status of
 * `ssh` if the connection failed. Other values are the exit status of the remote command.
 */
const NO_SSH = 254;
const FAILED = 255;
/**
 * The shell command that starts `ssh`. A terminal sends Ctrl-C (SIGINT) also to `ssh`, which must ignore the
 * signal, so that the remote command continues.
 */
const START = `command -v ssh >/dev/null || exit ${NO_SSH}; trap "" INT; exec ssh "$@"`;
/** How long to wait for the last lines of standard error after ssh has exited, ms. */
const LAST_WORDS_MS = 300;
const LAST_BYTES = 16 * 1024;

const HOST_KEY = /host key verification failed|host identification has changed|host key is known/i;
const TIMED_OUT = /timed out|not responding/i;

export interface SshOptions {
  /** True if `ssh` may ask for a password at the terminal. */
  readonly asks: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

const wordsFor = (destination: string, { asks }: SshOptions): readonly string[] => [
  '-T',
  ...['-o', 'ConnectTimeout=10', '-o', 'ServerAliveInterval=5', '-o', 'ServerAliveCountMax=3'],
  ...(asks ? [] : ['-o', 'BatchMode=yes']),
  ...['--', destination, 'sup dial-stdio'],
];

/** Returns a function that returns the last lines on standard error, from ssh and from the other machine. */
const lastLinesOf = ({ stderr }: ChildProcess): (() => readonly string[]) => {
  let text = '';
  stderr?.setEncoding('utf8').on('data', (more: string) => (text = (text + more).slice(-LAST_BYTES)));
  return () => text.split(/\r?\n/).map(shownLine).filter(Boolean);
};

export interface SshLine {
  readonly send: (message: object) => void;
  /** Resolves to the next message. Rejects if the connection is lost or the other machine is silent. */
  readonly next: () => Promise<string>;
  /** Stops the exchange of messages. Resolves to the connection as a stream of bytes. */
  readonly stream: () => Promise<Duplex>;
  /**
   * Call this function before a command that changes something. If the connection is then lost, the error
   * names the command and says that its outcome is not known.
   */
  readonly during: (command: string) => void;
  readonly close: () => void;
}

interface Ended {
  readonly status: number;
  readonly lines: readonly string[];
}

const detailOf = ({ status, lines }: Ended): string => lines.at(-1) ?? `ssh ended with status ${status}`;

/** Returns the error for a missing greeting, from the exit status and the last lines of ssh. */
const refusal = (host: string, ended: Ended, waited: number): SupError => {
  const { status, lines } = ended;
  const detail = detailOf(ended);
  const text = lines.join('\n');
  if (status === NO_SSH) return { code: 'ERR0230', detail: 'there is no program ssh in PATH' };
  if (status !== FAILED)
    return /dial-stdio/.test(text) ? { code: 'ERR0234', host } : { code: 'ERR0233', host, detail };
  if (HOST_KEY.test(text)) return { code: 'ERR0232', host, detail };
  return TIMED_OUT.test(detail)
    ? { code: 'ERR0236', host, waited: ms(Math.round(waited)) }
    : { code: 'ERR0231', host, detail };
};

/**
 * Returns the failure for the error. If ssh printed more than one line, all lines are the evidence of the
 * failure.
 */
const failureOf = (error: SupError, lines: readonly string[]): ClientFailure =>
  lines.length < 2
    ? failedWith(error)
    : new ClientFailure({ ...errorDocument(error), evidence: lines }, error);

interface Ssh {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: LineReader;
  /**
   * Resolves to the next line, or to `undefined` if the connection is lost. Closes the connection after
   * `limit` ms without a line.
   */
  readonly lineWithin: (limit: number) => Promise<string | undefined>;
  /**
   * Resolves when ssh has ended. `tooLate` is the timeout error if this process ended ssh after a timeout.
   */
  readonly ended: () => Promise<Ended & { readonly tooLate?: SupError | undefined }>;
}

/**
 * Resolves to the exit status of ssh, after its last lines have been read. Waits only `LAST_WORDS_MS` for
 * these, because a process that ssh started, such as the master of a shared connection, may keep standard
 * error open.
 */
const exitOf = (child: ChildProcessWithoutNullStreams): Promise<number> =>
  new Promise((settle) => {
    const settleWith = (status: number): void => {
      const end = (): void => settle(status);
      child.stderr.once('close', end);
      setTimeout(end, LAST_WORDS_MS);
    };
    child.once('error', () => settle(NO_SSH)).once('exit', (status) => settleWith(status ?? FAILED));
  });

const startSsh = (host: string, options: SshOptions): Ssh => {
  const child = spawn('/bin/sh', ['-c', START, 'ssh', ...wordsFor(host, options)], {
    stdio: 'pipe',
    env: options.environment,
  });
  const lastLines = lastLinesOf(child);
  const exited = exitOf(child);
  child.stdin.on('error', () => undefined);
  const lines = lineReader(child.stdout, LONGEST_FRAME);
  let tooLate: SupError | undefined;
  const cut = (): void => {
    child.kill('SIGKILL');
    child.stdout.destroy();
  };
  const giveUp = (waited: number): void => {
    tooLate = { code: 'ERR0236', host, waited: ms(waited) };
    cut();
  };
  const lineWithin = async (limit: number): Promise<string | undefined> => {
    const timer = setTimeout(giveUp, limit, limit);
    try {
      return await lines.next();
    } catch {
      cut();
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    ...{ child, lines, lineWithin },
    ended: async () => ({ status: await exited, lines: lastLines(), tooLate }),
  };
};

/**
 * Resolves to the greeting, or to `undefined` if it does not arrive in time. Skips lines that the login shell
 * prints.
 */
const greetingOf = async ({ lineWithin }: Ssh, limit: number): Promise<DialGreeting | undefined> => {
  const until = performance.now() + limit;
  for (;;) {
    const line = await lineWithin(Math.max(1, Math.round(until - performance.now())));
    const found = line === undefined ? undefined : decodeGreeting(line);
    if (line === undefined || found !== undefined) return found;
  }
};

const lineOn = (host: string, { child, lines, lineWithin, ended }: Ssh): SshLine => {
  let command: string | undefined;
  const lost = async (): Promise<ClientFailure> => {
    const end = await ended();
    const act = command === undefined ? {} : { command };
    const error = { code: 'ERR0235', host, detail: detailOf(end), ...act } as const;
    return failureOf(end.tooLate ?? error, end.lines);
  };
  return {
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    next: async () => {
      const line = await lineWithin(SILENCE_MS);
      if (line === undefined) throw await lost();
      return line;
    },
    stream: async () => {
      const rest = await lines.leave();
      if (rest.length > 0) child.stdout.unshift(rest);
      return Duplex.from({ readable: child.stdout, writable: child.stdin });
    },
    during: (name) => (command = name),
    close: () => void child.kill(),
  };
};

/** Connects to `sup dial-stdio` on a machine and waits for its greeting. Rejects with ERR0230 to ERR0236. */
export const dialHost = async (host: string, options: SshOptions): Promise<SshLine> => {
  const began = performance.now();
  const ssh = startSsh(host, options);
  const greeting = await greetingOf(ssh, options.asks ? ASKING_MS : BATCH_MS);
  if (greeting === undefined) {
    const end = await ssh.ended();
    throw failureOf(end.tooLate ?? refusal(host, end, performance.now() - began), end.lines);
  }
  if (greeting.dial !== DIAL) {
    ssh.child.kill();
    throw failedWith({ code: 'ERR0234', host, version: shownLine(greeting.version) });
  }
  return lineOn(host, ssh);
};
