// The state changes from the wait for a start to the spawn: admission, `skip`, `pre_start`, launch.
// Rules: `docs/behaviour.md`, "Starting", "Skip", "pre_start"; `docs/behaviour.md`, "Casualties", "It stays
// down", "While it is preparing".
import type { ServiceError } from '../domain/errors/error.ts';
import { isSuccess } from '../domain/service/exit-status.ts';
import { runId, type RunId, type ServiceId } from '../domain/ids.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { In, ServiceOrRun } from '../domain/service/service.ts';
import type { Instant, Ms } from '../domain/time.ts';
import { betweenRuns, onSchedule, withoutRun } from './scheduled/scheduled-runs.ts';
import { begun, cutOff, dropped, ended, leftOut } from './scheduled/scheduled-results.ts';
import { becomesJob, renewed, wait } from './wait-to-start.ts';
import { STAY, type Change, type Situation } from './service-input.ts';
import { UNPROBED } from '../domain/service/service-state.ts';
import { afterFailure } from './restart-policy.ts';
import { ending } from './stop/stopping.ts';

const launch = (spec: Run['spec'], run: RunId): Change => ({
  to: { tag: 'spawning', run },
  effects: [{ type: 'spawn', service: spec.id, run, spec, fifoPair: 0 }],
});

const afterSkip = (spec: Run['spec'], run: RunId): Change =>
  spec.deployment.preStart === undefined
    ? launch(spec, run)
    : { to: { tag: 'preparing', run, step: 'pre_start' } };

const prepare = ({ spec, insisted }: Run, run: RunId): Change =>
  typeof spec.skip === 'string' && !insisted
    ? { to: { tag: 'preparing', run, step: 'skip' } }
    : afterSkip(spec, run);

/** Begins a run with the newest declaration, unless this declaration skips the service or adds a schedule. */
export const begin = ({ service, context }: Situation<'waiting', 'admit'>): Change => {
  const fresh = renewed(service);
  if (fresh.insisted) return run(fresh, context.at);
  if (becomesJob(service, fresh.spec)) return onSchedule(service, context.at);
  return fresh.spec.skip === true
    ? {
        to: { tag: 'down', why: { tag: 'skipped', by: 'manifest' } },
        patch: { spec: fresh.spec, schedule: dropped(fresh.schedule) },
      }
    : run(fresh, context.at);
};

const run = (fresh: Run, at: Instant): Change => {
  const number = runId(Math.max(fresh.runs, fresh.numbered ?? 0) + 1);
  const { to, effects = [] } = prepare(fresh, number);
  const schedule = fresh.spec.kind === 'cron' ? begun(fresh.schedule, at) : fresh.schedule;
  return { ...(to && { to }), effects, patch: { spec: fresh.spec, runs: number, schedule } };
};

/** Records a start that failed before a process existed, and applies the restart policy. */
const failed = (service: Run, error: ServiceError, at: Instant): Change => {
  const move = afterFailure(service, { at, error });
  const schedule = ended(service.schedule, { at, result: 'failure', error });
  return { ...move, patch: { ...move.patch, schedule } };
};

/**
 * Skips the service, because its skip command succeeded. For a scheduled service, only this run is skipped.
 */
const skipped = (service: ServiceOrRun, at: Instant): Change =>
  service.spec.kind === 'cron'
    ? betweenRuns(service, { schedule: ended(service.schedule, { at, result: 'skipped' }) })
    : { to: { tag: 'down', why: { tag: 'skipped', by: 'command' } } };

const overBudget = (service: ServiceId, step: 'skip' | 'pre_start', budget: Ms): ServiceError => ({
  code: 'ERR0108',
  service,
  budget,
  ...(step === 'skip' && { step }),
});

/**
 * Continues a start after its `skip` or `pre_start` command has ended: skips the service, runs the next
 * command, spawns the process, or records a failure.
 */
export const prepared = (cell: Situation<'preparing', 'command-ended'>): Change => {
  const { service, state, input, context } = cell;
  const { spec } = service;
  const id = spec.id;
  if (input.outcome.tag === 'over-budget')
    return failed(service, overBudget(id, state.step, context.settings.preStart), context.at);
  const { status, evidence, refused } = input.outcome;
  if (refused !== undefined) return failed(service, refused, context.at);
  if (state.step === 'skip') {
    if (isSuccess(status) && !service.insisted) return skipped(service, context.at);
    return afterSkip(spec, state.run);
  }
  if (!isSuccess(status))
    return failed(service, { code: 'ERR0103', service: id, status, evidence }, context.at);
  return launch(spec, state.run);
};

/**
 * True if a restart was requested during the spawn, and there is a newer declaration than the process uses.
 */
const isSuperseded = ({ revised }: ServiceOrRun, { again }: In<'spawning'>): boolean =>
  again === true && revised !== undefined;

/**
 * Moves the service to `starting`. If a restart with a newer declaration is due, moves the service to
 * `stopping`.
 */
export const spawned = ({ service, state, input, context }: Situation<'spawning', 'spawned'>): Change => {
  const { run, process, skipped = [] } = input;
  const to = { tag: 'starting', run, process, since: context.at, health: UNPROBED } as const;
  const isOver = isSuperseded(service, state) && service.wanted === 'up';
  const over = (): In<'stopping'> => ({
    ...ending({ service, state: to, context }, { tag: 'restart' }),
    again: true,
  });
  return { to: isOver ? over() : to, patch: { skipped } };
};

/**
 * Records dependencies that fail during the spawn. Because of them, the process is stopped once it exists.
 */
export const stopOnceSpawned = ({ state, input }: Situation<'spawning', 'fell'>): Change => ({
  to: { ...state, felled: [...new Set([...(state.felled ?? []), ...input.of])] },
});

/**
 * Applies the restart policy after a failed spawn. If a stop or a restart with a newer declaration was
 * requested during the spawn, this request is carried out instead.
 */
export const spawnFailed = ({
  service,
  state,
  input,
  context,
}: Situation<'spawning', 'spawn-failed'>): Change => {
  const schedule = cutOff(service.schedule, context.at);
  if (service.wanted === 'down') return { to: { tag: 'down', why: { tag: 'asked' } }, patch: { schedule } };
  return isSuperseded(service, state)
    ? withoutRun(service, context.at, { schedule })
    : failed(service, input.error, context.at);
};

/**
 * Ends the skip or pre_start command, because a dependency failed. The service starts again when the
 * dependency is ready again.
 */
export const abandon = ({ service, input, context }: Situation<'preparing', 'fell'>): Change =>
  service.spec.kind === 'cron'
    ? betweenRuns(service, { schedule: cutOff(service.schedule, context.at) })
    : { to: { tag: 'casualty', of: input.of } };

/**
 * Moves a casualty to `waiting`, because its failed dependencies are ready again. With `skip: true`, skips
 * the service instead.
 */
export const revive = ({ service }: Situation<'casualty', 'raise'>): Change =>
  service.spec.skip === true
    ? { to: { tag: 'down', why: { tag: 'skipped', by: 'manifest' } } }
    : wait(service);

/** Sets what the service waits for: its dependencies, or a place in the gate. */
export const queue = ({ state, input }: Situation<'waiting', 'hold'>): Change =>
  state.for === input.for ? STAY : { to: { tag: 'waiting', for: input.for } };

/** Skips the service, because a dependency was skipped. For a scheduled service, only this run is skipped. */
export const passOver = ({ service, input, context }: Situation<'waiting', 'pass-over'>): Change => {
  const { spec, schedule, insisted } = service;
  if (spec.kind !== 'cron') return { to: { tag: 'down', why: { tag: 'skipped', by: input.dependency } } };
  const error: ServiceError = { code: 'ERR0109', service: spec.id, dependency: input.dependency };
  return betweenRuns(service, {
    schedule: leftOut(schedule, { at: context.at, ...(insisted && { error }) }),
  });
};

/** Moves a skipped service to `waiting`, because its dependency is no longer skipped. */
export const waitAgain = ({ service, state }: Situation<'down', 'raise'>): Change =>
  state.why.tag === 'skipped' ? wait(service) : STAY;

/** Adds newly failed dependencies to those for which the service waits. */
export const addToCasualty = ({ state, input }: Situation<'casualty', 'fell'>): Change => ({
  to: { tag: 'casualty', of: [...new Set([...state.of, ...input.of])] },
});
