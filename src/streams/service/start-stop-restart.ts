// The inputs `start`, `stop` and `restart` in every state. Each input sets the desired state. The current
// state decides what happens now.
// Rules: `docs/behaviour.md`, "Casualties", "It stays down"; `docs/behaviour.md`, "Restarting";
// `docs/behaviour.md`, "Breaker".
import type { ServiceState, Tag } from '../domain/service/service.ts';
import { becomesJob, latest, wait, wantedUp } from './wait-to-start.ts';
import { stopping } from './stop/stopping.ts';
import { begins, onSchedule, scheduleOf } from './scheduled/scheduled-runs.ts';
import { calledOff, cutOff } from './scheduled/scheduled-results.ts';
import type { Change, Situation } from './service-input.ts';

const ASKED: ServiceState = { tag: 'down', why: { tag: 'asked' } };

const WANTED_DOWN: NonNullable<Change['patch']> = { wanted: 'down', insisted: false, recovering: false };

/**
 * Starts a service that is in backoff, has an open breaker or is a casualty, and resets its restart count. A
 * scheduled service waits for its next scheduled time, unless the user named it.
 */
export const startFromRest = (
  cell: Situation<'backing-off' | 'broken' | 'casualty', 'start' | 'restart'>,
): Change => begins(cell, cell.input.insisted);

/** True if the next run ignores `skip`, because the user named the service. */
const insistence = ({
  service,
  input,
}: Pick<Situation<Tag, 'start' | 'restart'>, 'service' | 'input'>): boolean =>
  input.insisted || (input.type === 'start' && service.insisted);

/** Sets the desired state to up, which cancels a requested stop that has not begun. */
export const wantUp = (cell: Situation<Tag, 'start' | 'restart'>): Change => ({
  patch: wantedUp(insistence(cell)),
});

/**
 * Applies the newest declaration to a waiting service, which then waits for the dependencies in this
 * declaration.
 */
export const wantNewest = (cell: Situation<'waiting', 'start'>): Change => {
  const { patch = {} } = wait(cell.service, wantedUp(insistence(cell)));
  return { patch };
};

/**
 * Restarts during the spawn. If there is a newer declaration, the process is stopped as soon as it exists.
 */
export const startNewest = (cell: Situation<'spawning', 'restart'>): Change => ({
  ...(cell.service.revised !== undefined && { to: { ...cell.state, again: true } }),
  ...wantUp(cell),
});

/**
 * Requests a new run after the stop. If the run that ends completes the service, the new run begins only if
 * the user named the service.
 */
export const startAgain = (cell: Situation<'stopping', 'start' | 'restart'>): Change => ({
  to: { ...cell.state, again: true, ...(cell.input.insisted && { named: true }) },
  patch: wantedUp(insistence(cell)),
});

/** Stops a service without a main process at once, and ends its skip or pre_start command. */
export const standDown = ({ service, context }: Situation<Tag, 'stop'>): Change => ({
  to: ASKED,
  patch: { ...WANTED_DOWN, schedule: calledOff(service, context.at) },
});

/**
 * Sets the desired state to down. The process is stopped when no dependent blocks the stop any more
 * (`release`).
 */
export const wantDown = (): Change => ({ patch: WANTED_DOWN });

/** Restarts a service without a process, with its newest declaration. */
export const beginAnew = (cell: Situation<'waiting' | 'preparing', 'restart'>): Change => {
  const { service, input, context } = cell;
  return becomesJob(service, latest(service)) && !input.insisted
    ? onSchedule(service, context.at)
    : wait(service, {
        ...wantedUp(insistence(cell)),
        schedule: cutOff(scheduleOf(service, context.at), context.at),
      });
};

/** Stops the run of a live service. A new run follows. */
export const stopForRestart = (cell: Situation<'starting' | 'up', 'restart'>): Change => {
  const move = stopping(cell, { tag: 'restart' });
  return { ...move, patch: wantedUp(insistence(cell)) };
};
