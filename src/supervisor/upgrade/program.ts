// Which program this process runs, and how it is begun: by which Node, with which options of that, with which words.
import { uptime } from 'node:os';
import { ms, type Ms } from '../../streams/domain/time.ts';
import { HEARD } from '../../os/early-signals.ts';
import { ENDING, GUARDIAN } from '../guarded.ts';

export interface Program {
  /** Path of the Node that runs it. */
  readonly node: string;
  /** Path of the supervisor's program. */
  readonly script: string;
}

/** With the moment, of a clock that outlives the program and that nobody sets: it executed itself anew. */
const RE_EXECUTED = '--re-executed=';

/** Tells the next program that it was executed anew just now. */
export const reExecutedWord = (): string => `${RE_EXECUTED}${uptime()}`;

/** How long ago it was; `undefined`: it was not. */
export const sinceReExecution = (): Ms | undefined => {
  const told = process.argv.find((word) => word.startsWith(RE_EXECUTED));
  return told === undefined ? undefined : ms((uptime() - Number(told.slice(RE_EXECUTED.length))) * 1_000);
};

/** This program goes on from the record of itself: what it was given to start was started. */
export const isReExecuted = (): boolean => sinceReExecution() !== undefined;

/** What was under way when it did. */
export const CLOSING = '--closing=';

const RESUME = '--require=';
/** What a program was told of its own beginning. */
const HANDED = ['--handover=', '--resumed=', '--trial', RE_EXECUTED, CLOSING, GUARDIAN, ENDING, HEARD];

/** What this process runs. */
export const ownProgram = (): Program => ({ node: process.execPath, script: process.argv[1] ?? '' });

const isOurs = (word: string): boolean => word.startsWith(RESUME) && word.endsWith('/resume.cjs');

/** Options of Node itself. */
const nodeWords = (): readonly string[] => process.execArgv.filter((word) => !isOurs(word));

/** What the supervisor was told when it was begun. */
const supervisorWords = (): readonly string[] =>
  process.argv.slice(2).filter((word) => !HANDED.some((handed) => word.startsWith(handed)));

interface Manner {
  /** Before the program. */
  readonly node?: readonly string[];
  /** Behind its other words. */
  readonly more: readonly string[];
}

/** How another program is begun as this one was. */
export const argvOf = ({ node, script }: Program, { node: first = [], more }: Manner): readonly string[] => [
  ...[node, ...nodeWords(), ...first, script],
  ...supervisorWords(),
  ...more,
];
