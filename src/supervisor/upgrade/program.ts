// The program that this process runs, with its Node, the options of Node and the arguments.
import { uptime } from 'node:os';
import { ms, type Ms } from '../../streams/domain/time.ts';
import { SIGNALS_OPTION } from '../../os/early-signals.ts';
import { ENDING, GUARDIAN } from '../guardian-report.ts';

export interface Program {
  /** Path of the Node executable that runs the program. */
  readonly node: string;
  readonly script: string;
}

/**
 * The argument that contains the uptime of the machine at the re-exec, s. Uptime is used, because setting the
 * clock does not change it.
 */
const RE_EXECUTED = '--re-executed=';

/** Returns the argument that tells the next program that it was re-executed just now. */
export const reExecutedWord = (): string => `${RE_EXECUTED}${uptime()}`;

/** Returns the time since the re-execution; `undefined` if there was none. */
export const sinceReExecution = (): Ms | undefined => {
  const told = process.argv.find((word) => word.startsWith(RE_EXECUTED));
  return told === undefined ? undefined : ms((uptime() - Number(told.slice(RE_EXECUTED.length))) * 1_000);
};

/** True if this program was re-executed. The given manifests were then started by the previous program. */
export const isReExecuted = (): boolean => sinceReExecution() !== undefined;

/** The argument that makes a re-executed program continue a shutdown in progress. */
export const CLOSING = '--closing=';

const RESUME = '--require=';
/** The arguments that concern only the start of this program. The next program does not receive them. */
const HANDED = [
  '--handover=',
  '--resumed=',
  '--trial',
  RE_EXECUTED,
  CLOSING,
  GUARDIAN,
  ENDING,
  SIGNALS_OPTION,
];

/** Returns which Node and which program file this process runs. */
export const ownProgram = (): Program => ({ node: process.execPath, script: process.argv[1] ?? '' });

const isOurs = (word: string): boolean => word.startsWith(RESUME) && word.endsWith('/resume.cjs');

/** Returns the options of Node itself, except `resume.cjs`. */
const nodeWords = (): readonly string[] => process.execArgv.filter((word) => !isOurs(word));

/** Returns the arguments that the supervisor was started with, except those in `HANDED`. */
const supervisorWords = (): readonly string[] =>
  process.argv.slice(2).filter((word) => !HANDED.some((handed) => word.startsWith(handed)));

interface Manner {
  /** Additional options of Node, placed before the path of the program. */
  readonly node?: readonly string[];
  /** Additional arguments of the program, placed last. */
  readonly more: readonly string[];
}

/** Returns the command line that starts another program in the way this one was started. */
export const argvOf = ({ node, script }: Program, { node: first = [], more }: Manner): readonly string[] => [
  ...[node, ...nodeWords(), ...first, script],
  ...supervisorWords(),
  ...more,
];
