// Which hooks a move fires, in order (`docs/hooks.md`, "What fires when"), and their commands with the
// occasion of each. It is a pure function of the move, so that the matrix can be read here row by row.
// Rules: `docs/behaviour.md`, "Schedules", "A run that fails".
import type { HookName } from '../domain/declared/spec.ts';
import type { EffectOf, HookOccasion } from '../domain/effect.ts';
import type { SupError } from '../domain/errors/error.ts';
import type { RunId } from '../domain/ids.ts';
import { type ExitStatus, isSuccess } from '../domain/service/exit.ts';
import type { Run, WhichRun } from '../domain/service/service-run.ts';
import type { In } from '../domain/service/service-state.ts';

const READY: readonly HookName[] = ['on_start.success', 'onstart'];
const STOPPED: readonly HookName[] = ['on_stop.success'];
const CRASHED: readonly HookName[] = ['on_stop.error', 'onerr'];

const recovered = (before: Run): readonly HookName[] => (before.recovering ? ['on_restart.success'] : []);

/** Hooks for a start that did not become ready; during a restart, the restart failed. */
const notReached = (before: Run): readonly HookName[] =>
  before.recovering ? ['on_restart.error', 'onerr'] : ['on_start.error', 'onerr'];

/**
 * True for a scheduled service: a bad end, however early, fails the run and not the start
 * (`docs/behaviour.md`, "Schedules").
 */
const isScheduled = ({ spec }: Run): boolean => spec.kind === 'cron';

/** True if the exit status is unknown: the run may not count as failed. */
const isUnseen = (exit: ExitStatus | undefined): boolean => exit?.tag === 'unknown';

const exitedWell = (exit: ExitStatus | undefined): boolean => exit !== undefined && isSuccess(exit);

interface Exited {
  readonly wasReady: boolean;
  /** True if it was stopping anyway. */
  readonly asked: boolean;
  readonly exit: ExitStatus | undefined;
  readonly which: WhichRun;
}

/** Hooks for a good exit before readiness: it has finished its work, but the other run must stay up. */
const endedEarly = (before: Run, which: WhichRun): readonly HookName[] =>
  which === 'other' ? notReached(before) : [...READY, ...recovered(before), ...STOPPED];

/** Hooks for a leader that exited by itself. */
const exited = (before: Run, { wasReady, asked, exit, which }: Exited): readonly HookName[] => {
  if (asked) return STOPPED;
  if (isScheduled(before) && isUnseen(exit)) return [];
  if (exitedWell(exit)) return wasReady ? STOPPED : endedEarly(before, which);
  return wasReady || isScheduled(before) ? CRASHED : notReached(before);
};

/** Hooks for leaving `stopping`: the run is over. */
const over = (before: Run, { cause, exit }: In<'stopping'>, which: WhichRun): readonly HookName[] => {
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
      return exited(before, { wasReady: cause.wasReady, asked: cause.asked === true, exit, which });
  }
};

/** True if the run itself failed: a skipped or stopped run also returns to its schedule. */
const runFailed = (before: Run, after: Run): boolean => after.lastFailure !== before.lastFailure;

const startFailed = (before: Run, after: Run): boolean => {
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
export const hooksOf = (before: Run, after: Run, which: WhichRun): readonly HookName[] => {
  const state = before.actual;
  if (state.tag === after.actual.tag) return [];
  if (state.tag === 'starting' && after.actual.tag === 'up') return [...READY, ...recovered(before)];
  if (state.tag === 'stopping') return over(before, state, which);
  const attempting = state.tag === 'preparing' || state.tag === 'spawning';
  return attempting && startFailed(before, after) ? notReached(before) : [];
};

/** True for hooks of a failure. A success has no error, even if the state still holds one. */
const isOfError = (name: HookName): boolean => name === 'onerr' || name.endsWith('.error');

/** Returns the current error. No state of a scheduled service holds one: its newest failure counts. */
const errorOf = ({ actual, spec, lastFailure }: Run): SupError | undefined => {
  if (spec.kind === 'cron') return lastFailure?.error;
  if (actual.tag === 'backing-off' || actual.tag === 'broken') return actual.error;
  return actual.tag === 'down' && actual.why.tag === 'failed' ? actual.why.error : undefined;
};

const occasionOf = (before: Run, after: Run, name: HookName): HookOccasion => {
  const process = 'process' in before.actual ? before.actual.process : undefined;
  const exit = before.actual.tag === 'stopping' ? after.lastExit?.status : undefined;
  const error = isOfError(name) ? errorOf(after) : undefined;
  return {
    name,
    run: before.runs as RunId,
    attempt: after.attempts,
    ...(process && { pid: process.pid }),
    ...(exit && { exit }),
    ...(error && { error }),
  };
};

/** Returns the hook commands that the service declares for one move of a run. */
export const hookEffects = (
  before: Run,
  after: Run,
  which: WhichRun = 'current',
): readonly EffectOf<'run-hook'>[] =>
  hooksOf(before, after, which).flatMap((name): readonly EffectOf<'run-hook'>[] => {
    const hook = before.spec.hooks[name];
    if (hook === undefined) return [];
    return [{ type: 'run-hook', spec: before.spec, hook, occasion: occasionOf(before, after, name) }];
  });
