// Which hooks a move fires, in order (`docs/hooks.md`, "What fires when"). It is a pure function of the move,
// so that the matrix can be read here row by row.
// Rules: `docs/behaviour.md`, "Schedules", "A run that fails".
import { isSuccess, type ExitStatus } from '../domain/service/exit.ts';
import type { In, Service } from '../domain/service/service.ts';
import type { HookName } from '../domain/declared/spec.ts';

const READY: readonly HookName[] = ['on_start.success', 'onstart'];
const STOPPED: readonly HookName[] = ['on_stop.success'];
const CRASHED: readonly HookName[] = ['on_stop.error', 'onerr'];

const recovered = (before: Service): readonly HookName[] => (before.recovering ? ['on_restart.success'] : []);

/** Hooks for a start that did not become ready; during a restart, the restart failed. */
const notReached = (before: Service): readonly HookName[] =>
  before.recovering ? ['on_restart.error', 'onerr'] : ['on_start.error', 'onerr'];

/**
 * True for a scheduled service: a bad end, however early, fails the run and not the start
 * (`docs/behaviour.md`, "Schedules").
 */
const isScheduled = ({ spec }: Service): boolean => spec.kind === 'cron';

/** True if the exit status is unknown: the run may not count as failed. */
const isUnseen = (exit: ExitStatus | undefined): boolean => exit?.tag === 'unknown';

const exitedWell = (exit: ExitStatus | undefined): boolean => exit !== undefined && isSuccess(exit);

/** Which run of its service it is: `second` for a rollout's second run, which must stay up. */
export type Place = 'second' | undefined;

interface Exited {
  readonly wasReady: boolean;
  /** True if it was stopping anyway. */
  readonly asked: boolean;
  readonly exit: ExitStatus | undefined;
  readonly place: Place;
}

/** Hooks for a good exit before readiness: it has finished its work, unless it must stay up. */
const endedEarly = (before: Service, place: Place): readonly HookName[] =>
  place === 'second' ? notReached(before) : [...READY, ...recovered(before), ...STOPPED];

/** Hooks for a leader that exited by itself. */
const exited = (before: Service, { wasReady, asked, exit, place }: Exited): readonly HookName[] => {
  if (asked) return STOPPED;
  if (isScheduled(before) && isUnseen(exit)) return [];
  if (exitedWell(exit)) return wasReady ? STOPPED : endedEarly(before, place);
  return wasReady || isScheduled(before) ? CRASHED : notReached(before);
};

/** Hooks for leaving `stopping`: the run is over. */
const over = (before: Service, { cause, exit }: In<'stopping'>, place: Place): readonly HookName[] => {
  switch (cause.tag) {
    case 'asked':
    case 'restart':
    case 'felled':
      return STOPPED;
    case 'timeout':
      return CRASHED;
    case 'unhealthy':
      return cause.wasReady ? CRASHED : notReached(before);
    case 'exited':
      return exited(before, { wasReady: cause.wasReady, asked: cause.asked === true, exit, place });
  }
};

/** True if the run itself failed: a skipped or stopped run also returns to its schedule. */
const runFailed = (before: Service, after: Service): boolean => after.lastFailure !== before.lastFailure;

const startFailed = (before: Service, after: Service): boolean => {
  const { actual } = after;
  switch (actual.tag) {
    case 'backing-off':
    case 'broken':
      return true;
    case 'down':
      return actual.why.tag === 'failed';
    case 'scheduled':
      return runFailed(before, after);
    default:
      return false;
  }
};

/** Returns the hooks of one move, in the order in which they fire. */
export const hooksOf = (before: Service, after: Service, place?: Place): readonly HookName[] => {
  const state = before.actual;
  if (state.tag === after.actual.tag) return [];
  if (state.tag === 'starting' && after.actual.tag === 'up') return [...READY, ...recovered(before)];
  if (state.tag === 'stopping') return over(before, state, place);
  const attempting = state.tag === 'preparing' || state.tag === 'spawning';
  return attempting && startFailed(before, after) ? notReached(before) : [];
};
