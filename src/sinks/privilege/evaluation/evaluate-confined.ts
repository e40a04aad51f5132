// Evaluates a file of JavaScript in a process that the launcher has confined, within limits of time, memory
// and output (`docs/security.md`, "JavaScript that is evaluated").
import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openPipe } from '../../../os/libc/descriptor-flags.ts';
import { landlockAbi } from '../../../os/libc/landlock-calls.ts';
import { INSTALL_FFI, openLibc, SWITCHED_OFF } from '../../../os/libc/libc.ts';
import type { ExitStatus } from '../../../streams/domain/service/exit-status.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { type EvaluationFacts, evaluationSteps } from './evaluation-steps.ts';
import { PORTS_SINCE } from '../../../streams/launch/landlock-rights.ts';
import { type LaunchedChild, startLaunched } from '../launch-process.ts';
import { newLauncher } from '../start-launcher.ts';
import { reportIn } from './evaluator-protocol.ts';
import { readablePlaces } from './readable-places.ts';

/** Thrown if the file was not evaluated, because it cannot be confined. */
export class NotConfined extends Error {}

/** Thrown if the file was evaluated but gave no value. */
export class NotEvaluated extends Error {}

interface Evaluation {
  /** The absolute path of the file, with links resolved. */
  readonly file: string;
  /** The paths of the two programs that are executed. */
  readonly launcher: string;
  readonly evaluator: string;
  /** The environment of the `sup` command. The file gets only a few of its variables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly uid: number;
  /** Directories that the file may never read, such as the data directory. */
  readonly except: readonly string[];
}

const LONGEST_MS = 10_000;
/** How long the process may live after it sent its result, ms. Then it is killed. */
const LONGEST_END_MS = 200;
const MOST_BYTES = 4 * 1024 * 1024;
/**
 * Node options that limit the JavaScript heap to 256 MiB, and the helper threads to one, because more threads
 * would only cost memory.
 */
const NODE_OPTIONS: readonly string[] = ['--max-old-space-size=256', '--v8-pool-size=1'];

/**
 * The variables of the environment that the evaluated file gets. Configurations use them, and they hold no
 * secret.
 */
const PASSED_ON: readonly string[] = ['HOME', 'USER', 'LOGNAME', 'LANG', 'TZ'];

const cleanEnvironment = (environment: Evaluation['environment']): Readonly<Record<string, string>> => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  // Node exits if it may not read the OpenSSL configuration of the machine, so it reads an empty file
  // instead.
  OPENSSL_CONF: '/dev/null',
  ...Object.fromEntries(Object.entries(environment).filter(([name]) => PASSED_ON.includes(name))),
});

const openedLibc = ({ environment }: Evaluation) => {
  if (environment['SUP_FFI'] === 'off') throw new NotConfined(SWITCHED_OFF);
  const opened = openLibc();
  if (opened.tag === 'absent') throw new NotConfined(`${opened.detail}: ${INSTALL_FFI}`);
  return opened;
};

/** Returns the architecture of this machine. Throws `NotConfined` if its system calls are not known. */
const knownArchitecture = (): EvaluationFacts['architecture'] => {
  if (process.arch === 'x64' || process.arch === 'arm64') return process.arch;
  throw new NotConfined(`the system calls of ${process.arch} are not known, so they cannot be filtered`);
};

type Opened = ReturnType<typeof openedLibc>;

const abiOf = ({ libc }: Opened): number => {
  try {
    return landlockAbi(libc);
  } catch (error) {
    throw new NotConfined(`this kernel has no Landlock (${messageOf(error)})`);
  }
};

const factsOf = (opened: Opened, { file, evaluator, uid, except }: Evaluation): EvaluationFacts => {
  const directory = dirname(file);
  return {
    ...{ uid, directory, architecture: knownArchitecture() },
    restrictsPorts: abiOf(opened) >= PORTS_SINCE.abi,
    grants: readablePlaces({ directory, evaluator, addon: opened.origin.path, except }),
  };
};

/** Starts the evaluator. `writing`: the descriptor of the pipe into which the evaluator writes its result. */
const startEvaluator = (opened: Opened, evaluation: Evaluation, writing: number): Promise<LaunchedChild> => {
  const { file, launcher, evaluator, environment } = evaluation;
  const nowhere = openSync('/dev/null', 'r+');
  const program = {
    argv: [process.execPath, ...NODE_OPTIONS, evaluator, file],
    environment: cleanEnvironment(environment),
  };
  const request = {
    ...{ launcher, environment: {}, descriptors: [writing] },
    output: { stdout: nowhere, stderr: nowhere },
    orders: [{ steps: evaluationSteps(factsOf(opened, evaluation)), program }],
  };
  const unknown = (): Promise<ExitStatus> => Promise.resolve({ tag: 'unknown' });
  return startLaunched(request, newLauncher, unknown).finally(() => closeSync(nowhere));
};

/**
 * Resolves to all text from the pipe. Rejects with `NotEvaluated` if the limit of time or size is exceeded.
 */
const textOf = (reading: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const pipe = new Socket({ fd: reading, readable: true, writable: false });
    const end = (settle: () => void): void => {
      clearTimeout(patience);
      pipe.destroy();
      settle();
    };
    const fail = (why: string): void => end(() => reject(new NotEvaluated(why)));
    const patience = setTimeout(() => fail(`it took longer than ${LONGEST_MS / 1000} s`), LONGEST_MS);
    pipe.on('data', (part: Buffer) => {
      parts.push(part);
      if (parts.reduce((size, { length }) => size + length, 0) > MOST_BYTES)
        fail('it exports more than 4 MiB');
    });
    pipe.on('error', (error) => fail(error.message));
    pipe.on('end', () => end(() => resolve(Buffer.concat(parts).toString('utf8'))));
  });

const endText = (exit: ExitStatus): string => {
  if (exit.tag === 'signal') return `it used too much memory, or crashed (${exit.signal})`;
  return `it ended itself${exit.tag === 'code' ? ` with status ${exit.code}` : ''} before it exported anything`;
};

const reportOf = (text: string): ReturnType<typeof reportIn> => {
  try {
    return reportIn(text);
  } catch (error) {
    throw new NotEvaluated(messageOf(error));
  }
};

const valueIn = (text: string, exit: ExitStatus): unknown => {
  const report = reportOf(text);
  if (report === undefined) throw new NotEvaluated(endText(exit));
  if (report.tag === 'value') return report.value;
  const why = String(report.value);
  throw report.tag === 'refused' ? new NotConfined(why) : new NotEvaluated(why);
};

/** Resolves to the exit status of the process. Kills it if it has not ended after `LONGEST_END_MS`. */
const ended = async ({ process: { pid }, exit }: LaunchedChild): Promise<ExitStatus> => {
  const isOver = await Promise.race([exit.then(() => true), delay(LONGEST_END_MS, false)]);
  if (!isOver) process.kill(pid, 'SIGKILL');
  return exit;
};

/** Resolves to the JSON value that the file exports. Rejects with `NotConfined` or `NotEvaluated`. */
export const evaluateConfined = async (evaluation: Evaluation): Promise<unknown> => {
  const opened = openedLibc(evaluation);
  const { reading, writing } = openPipe(opened.libc);
  const settled = textOf(reading).then(
    (text) => ({ text }),
    (error: unknown) => ({ error }),
  );
  const child = await startEvaluator(opened, evaluation, writing)
    .catch((error: unknown) => {
      throw error instanceof NotConfined ? error : new NotConfined(messageOf(error));
    })
    .finally(() => closeSync(writing));
  const result = await settled;
  const exit = await ended(child);
  if ('error' in result) throw result.error;
  return valueIn(result.text, exit);
};
