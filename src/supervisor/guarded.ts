// What the guardian of a resident supervisor tells it (`docs/reliability.md`, "The guardian"): how often it has brought one
// back, and how the last one ended. Nothing of that without `--guarded`.
import { constants } from 'node:os';
import type { Guardian } from '../streams/wire/protocol.ts';

export interface Guarded extends Guardian {
  /** The status of the supervisor before this one, as a shell tells it. */
  readonly ended: number;
  /** The guardian was told to end before this one began: there is an end to go on with. */
  readonly ending: boolean;
}

export const ENDING = '--ending';

/** With its pid, which one program hands on to the next in the same process: the parent may be another one by then. */
export const GUARDIAN = '--guardian=';

const numberIn = (argv: readonly string[], name: string, otherwise = 0): number => {
  const word = argv.find((each) => each.startsWith(name));
  return word === undefined ? otherwise : Number(word.slice(name.length));
};

/** `parent`: who started this process. */
export const guardedBy = (argv: readonly string[], parent: number): Guarded | undefined =>
  argv.includes('--guarded')
    ? {
        pid: numberIn(argv, GUARDIAN, parent),
        restarts: numberIn(argv, '--restarts='),
        ended: numberIn(argv, '--ended='),
        ending: argv.includes(ENDING),
      }
    : undefined;

/** For the next program in this process. */
export const guardianWords = (guarded: Guarded | undefined): readonly string[] =>
  guarded === undefined ? [] : [`${GUARDIAN}${guarded.pid}`];

const endText = (status: number): string => {
  const signal = Object.entries(constants.signals).find(([, number]) => number === status - 128)?.[0];
  return signal === undefined ? `ended with status ${status}` : `was ended by ${signal}`;
};

/** For the log; nothing of the first one. */
export const broughtBackText = ({ pid, restarts, ended }: Guarded): string | undefined =>
  restarts === 0
    ? undefined
    : `the supervisor before this one ${endText(ended)}; this is restart ${restarts} by its guardian (pid ${pid})`;

/** What `status` warns of: a guardian is the parent for as long as it lives. */
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
