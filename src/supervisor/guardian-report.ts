// What the guardian of a resident supervisor passes to it (`docs/reliability.md`, "The guardian"): how often
// it has restarted one, and how the last one ended. Without `--guarded` there is none of that.
import { constants } from 'node:os';
import type { Guardian } from '../streams/wire/protocol.ts';

export interface Guarded extends Guardian {
  /** The exit status of the previous supervisor, as a shell reports it. */
  readonly ended: number;
  /** True if the guardian was told to end before this supervisor began: it must continue that end. */
  readonly ending: boolean;
}

export const ENDING = '--ending';

/** The guardian's pid, passed on in the same process: by then the parent may be another one. */
export const GUARDIAN = '--guardian=';

const numberIn = (argv: readonly string[], name: string, otherwise = 0): number => {
  const word = argv.find((each) => each.startsWith(name));
  return word === undefined ? otherwise : Number(word.slice(name.length));
};

/** Returns what the guardian passed, or `undefined` without one. `parent`: pid of this process's parent. */
export const guardedBy = (argv: readonly string[], parent: number): Guarded | undefined =>
  argv.includes('--guarded')
    ? {
        pid: numberIn(argv, GUARDIAN, parent),
        restarts: numberIn(argv, '--restarts='),
        ended: numberIn(argv, '--ended='),
        ending: argv.includes(ENDING),
      }
    : undefined;

/** Returns the argument for the next program in this process. */
export const guardianWords = (guarded: Guarded | undefined): readonly string[] =>
  guarded === undefined ? [] : [`${GUARDIAN}${guarded.pid}`];

const endText = (status: number): string => {
  const signal = Object.entries(constants.signals).find(([, number]) => number === status - 128)?.[0];
  return signal === undefined ? `ended with status ${status}` : `was ended by ${signal}`;
};

/** Returns the log message of a restarted supervisor, or `undefined` for the first one. */
export const broughtBackText = ({ pid, restarts, ended }: Guarded): string | undefined =>
  restarts === 0
    ? undefined
    : `the supervisor before this one ${endText(ended)}; this is restart ${restarts} by its guardian (pid ${pid})`;

/** Returns the warnings for `status`: a guardian is the parent as long as it lives. */
export const guardianWarnings = (
  guardian: Guardian | undefined,
  parent: () => number,
): (() => readonly string[]) => {
  const { pid } = guardian ?? {};
  if (pid === undefined) return () => [];
  return () =>
    parent() === pid
      ? []
      : [`the guardian (pid ${pid}) has ended: a supervisor that is killed now does not come back by itself`];
};
