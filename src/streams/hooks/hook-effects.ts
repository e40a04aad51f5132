// Computes which hooks a state change fires, and in which order (`docs/hooks.md`, "What fires when"). The
// result depends only on the states before and after the change.
// Rules: `docs/behaviour.md`, "Schedules", "A run that fails".
import type { HookName } from '../domain/declared/spec.ts';
import type { EffectOf, HookOccasion } from '../domain/effect.ts';
import type { SupError } from '../domain/errors/error.ts';
import type { RunId } from '../domain/ids.ts';
import { type ExitStatus, isSuccess } from '../domain/service/exit-status.ts';
import type { Run, WhichRun } from '../domain/service/service-run.ts';
import type { In } from '../domain/service/service-state.ts';

const READY: readonly HookName[] = ['on_start.success', 'onstart'];
const STOPPED: readonly HookName[] = ['on_stop.success'];
const CRASHED: readonly HookName[] = ['on_stop.error', 'onerr'];

const recovered = (before: Run): readonly HookName[] => (before.recovering ? ['on_restart.success'] : []);

/** Returns the hooks for a service that was started, or automatically restarted, and did not become ready. */
const notReached = (before: Run): readonly HookName[] =>
  before.recovering ? ['on_restart.error', 'onerr'] : ['on_start.error', 'onerr'];

/** True for a scheduled service. It fails in a run, never at its start (`docs/behaviour.md`, "Schedules"). */
const isScheduled = ({ spec }: Run): boolean => spec.kind === 'cron';

/** True if the exit status is unknown. A scheduled run with an unknown status does not count as failed. */
const isUnseen = (exit: ExitStatus | undefined): boolean => exit?.tag === 'unknown';

const exitedWell = (exit: ExitStatus | undefined): boolean => exit !== undefined && isSuccess(exit);

interface Exited {
  readonly wasReady: boolean;
  /** True if a stop of the service was requested before. */
  readonly asked: boolean;
  readonly exit: ExitStatus | undefined;
  readonly which: WhichRun;
}

/**
 * Returns the hooks for a run that exited with 0 before it was ready. A current run has completed its work;
 * for the new run of a rollout, the rollout has failed.
 */
const endedEarly = (before: Run, which: WhichRun): readonly HookName[] =>
  which === 'other' ? notReached(before) : [...READY, ...recovered(before), ...STOPPED];

/** Returns the hooks for a main process that exited by itself. */
const exited = (before: Run, { wasReady, asked, exit, which }: Exited): readonly HookName[] => {
  if (asked) return STOPPED;
  if (isScheduled(before) && isUnseen(exit)) return [];
  if (exitedWell(exit)) return wasReady ? STOPPED : endedEarly(before, which);
  return wasReady || isScheduled(before) ? CRASHED : notReached(before);
};

/** Returns the hooks for the end of a run. */
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

/**
 * True if the run failed. The state `scheduled` does not show this, because a service also has this state
 * after a skipped or stopped run.
 */
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

/** Returns the hooks that one state change fires, in order. */
export const hooksOf = (before: Run, after: Run, which: WhichRun): readonly HookName[] => {
  const state = before.actual;
  if (state.tag === after.actual.tag) return [];
  if (state.tag === 'starting' && after.actual.tag === 'up') return [...READY, ...recovered(before)];
  if (state.tag === 'stopping') return over(before, state, which);
  const attempting = state.tag === 'preparing' || state.tag === 'spawning';
  return attempting && startFailed(before, after) ? notReached(before) : [];
};

/**
 * True for hooks that get an error. All other hooks get none, because the state may still have an error of an
 * earlier run.
 */
const isOfError = (name: HookName): boolean => name === 'onerr' || name.endsWith('.error');

/** Returns the error of the state. For a scheduled service, returns the error of its newest failure. */
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

/** Returns the effects that run the declared hooks for one state change of a run. */
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
