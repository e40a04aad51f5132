// Which program this process runs, and how it is started: by which Node, with which Node options and
// arguments.
import { uptime } from 'node:os';
import { ms, type Ms } from '../../streams/domain/time.ts';
import { HEARD } from '../../os/early-signals.ts';
import { ENDING, GUARDIAN } from '../guardian-report.ts';

export interface Program {
  /** Path of the Node that runs it. */
  readonly node: string;
  /** Path of the supervisor's program. */
  readonly script: string;
}

/** Tells of a re-execution, with its time by a clock that outlives the program and is never set. */
const RE_EXECUTED = '--re-executed=';

/** Returns the argument that tells the next program that it was re-executed just now. */
export const reExecutedWord = (): string => `${RE_EXECUTED}${uptime()}`;

/** Returns the time since the re-execution, or `undefined` if there was none. */
export const sinceReExecution = (): Ms | undefined => {
  const told = process.argv.find((word) => word.startsWith(RE_EXECUTED));
  return told === undefined ? undefined : ms((uptime() - Number(told.slice(RE_EXECUTED.length))) * 1_000);
};

/** True if this program continues from its own record: its given manifests were started before. */
export const isReExecuted = (): boolean => sinceReExecution() !== undefined;

/** Passes on an end that was under way at the re-execution. */
export const CLOSING = '--closing=';

const RESUME = '--require=';
/** Arguments about a program's own start, which are not passed on. */
const HANDED = ['--handover=', '--resumed=', '--trial', RE_EXECUTED, CLOSING, GUARDIAN, ENDING, HEARD];

/** Returns the program of this process. */
export const ownProgram = (): Program => ({ node: process.execPath, script: process.argv[1] ?? '' });

const isOurs = (word: string): boolean => word.startsWith(RESUME) && word.endsWith('/resume.cjs');

/** Returns the options of Node itself. */
const nodeWords = (): readonly string[] => process.execArgv.filter((word) => !isOurs(word));

/** Returns the arguments that the supervisor was started with. */
const supervisorWords = (): readonly string[] =>
  process.argv.slice(2).filter((word) => !HANDED.some((handed) => word.startsWith(handed)));

interface Manner {
  /** Options before the program. */
  readonly node?: readonly string[];
  /** Arguments after the others. */
  readonly more: readonly string[];
}

/** Returns the arguments that start another program as this one was started. */
export const argvOf = ({ node, script }: Program, { node: first = [], more }: Manner): readonly string[] => [
  ...[node, ...nodeWords(), ...first, script],
  ...supervisorWords(),
  ...more,
];
