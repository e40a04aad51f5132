// The rest of the times in progress. An earlier version handed over the moments at which they end, by a wall
// clock that may have been set since.
import type { HandedCommand } from '../domain/handed.ts';
import type { Instant } from '../domain/time.ts';
import type { Handover } from './handover.ts';

/**
 * The form of an earlier version: the moments at which times end, ms since 1970, by a wall clock that may have
 * been set since.
 */
interface Due {
  readonly paces?: Readonly<Record<string, number>>;
}
interface DueCommand extends HandedCommand {
  readonly until?: number;
}

const leftUntil = (due: number, now: Instant): number => Math.max(0, due - now);

/** Returns the time to the next attempt of each probe, ms, by the key of its watch. */
export const pausesLeft = (
  { pauses, paces = {} }: Pick<Handover, 'pauses'> & Due,
  now: Instant,
): Readonly<Record<string, number>> =>
  pauses ?? Object.fromEntries(Object.entries(paces).map(([key, due]) => [key, leftUntil(due, now)]));

/** Returns each command with the rest of its time. */
export const commandsLeft = (
  { commands }: { readonly commands: readonly DueCommand[] },
  now: Instant,
): readonly HandedCommand[] =>
  commands.map(({ until, ...command }) =>
    until === undefined ? command : { ...command, left: leftUntil(until, now) },
  );
