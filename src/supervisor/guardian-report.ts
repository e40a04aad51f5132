// Reads the arguments of a guardian (`docs/reliability.md`, "The guardian"): how often it has restarted the
// supervisor, and how the previous supervisor ended. Without `--guarded` there is no guardian.
import { constants } from 'node:os';
import type { Guardian } from '../streams/wire/protocol.ts';

export interface Guarded extends Guardian {
  /** The exit status of the previous supervisor, as a shell reports it: 128 plus the number for a signal. */
  readonly ended: number;
  /**
   * True if the guardian was asked to end before it started this supervisor, which must then complete the
   * shutdown.
   */
  readonly ending: boolean;
}

export const ENDING = '--ending';

/**
 * The argument that contains the guardian's pid for the next program in this process. The pid of the parent
 * is not enough: after the end of the guardian, another process becomes the parent.
 */
export const GUARDIAN = '--guardian=';

const numberIn = (argv: readonly string[], name: string, otherwise = 0): number => {
  const word = argv.find((each) => each.startsWith(name));
  return word === undefined ? otherwise : Number(word.slice(name.length));
};

/**
 * Returns the report of the guardian in the arguments of this program; `undefined` if there is no guardian.
 * `parent`: the pid of the parent, which is the guardian unless an argument names the guardian.
 */
export const guardedBy = (argv: readonly string[], parent: number): Guarded | undefined =>
  argv.includes('--guarded')
    ? {
        pid: numberIn(argv, GUARDIAN, parent),
        restarts: numberIn(argv, '--restarts='),
        ended: numberIn(argv, '--ended='),
        ending: argv.includes(ENDING),
      }
    : undefined;

/** Returns the argument with the guardian's pid for the next program in this process. */
export const guardianWords = (guarded: Guarded | undefined): readonly string[] =>
  guarded === undefined ? [] : [`${GUARDIAN}${guarded.pid}`];

const endText = (status: number): string => {
  const signal = Object.entries(constants.signals).find(([, number]) => number === status - 128)?.[0];
  return signal === undefined ? `ended with status ${status}` : `was ended by ${signal}`;
};

/**
 * Returns the log message of a supervisor that its guardian restarted; `undefined` for the first supervisor
 * that the guardian started.
 */
export const broughtBackText = ({ pid, restarts, ended }: Guarded): string | undefined =>
  restarts === 0
    ? undefined
    : `the supervisor before this one ${endText(ended)}; this is restart ${restarts} by its guardian (pid ${pid})`;

/**
 * Returns a function that returns a warning if the guardian has ended. The guardian is then no longer the
 * parent of this process.
 */
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
