// Computes the watches of a run (timers, probes, processes) from the run alone. A watch ends when the run no
// longer lists it.
// Rules: `docs/behaviour.md`, "Stopping", "stop_signal, once", "Verification"; `docs/behaviour.md`,
// "Schedules", "cron.timeout"; `docs/behaviour.md`, "Breaker".
import { childrenIn } from '../domain/service/child.ts';
import type { RunId } from '../domain/ids.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import { nextRunAt } from '../domain/service/schedule.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { In, Service, ServiceOrRun } from '../domain/service/service.ts';
import { isAwaited, isNotifying } from '../domain/declared/health-check.ts';
import type { Settings } from '../domain/declared/settings.ts';
import { later, plus, type Instant } from '../domain/time.ts';
import type { TimerName, Watch } from '../domain/watch.ts';
import { cgroupOf } from '../launch/cgroup-path.ts';
import { livenessWatches, probeWatches } from './checks/probe-watches.ts';
import { presentRun } from './service-input.ts';
import { stopCommand } from './stop/stop-command.ts';
import { isReplacedInTime, measuringInterval } from './max-memory.ts';
import { provenAt } from './restart-policy.ts';

const timer = (service: Run, name: TimerName, due: Instant): Watch => ({
  type: 'timer',
  key: `timer:${service.spec.id}#${service.runs}:${name}@${due}`,
  service: service.spec.id,
  run: presentRun(service),
  timer: name,
  due,
});

const exit = ({ spec }: Run, run: RunId, process: ProcessRef): Watch => {
  const cgroup = cgroupOf(spec);
  const key = `exit:${spec.id}#${run}`;
  return { type: 'exit', key, service: spec.id, run, process, ...(cgroup !== undefined && { cgroup }) };
};

/** Returns the timer for a starting run that must report by itself that it is ready. */
const readyLimit = (service: Run, { since, readyBy = since }: In<'starting'>): readonly Watch[] => {
  const check = service.spec.deployment.healthCheck;
  return check !== undefined && isAwaited(check)
    ? [timer(service, 'ready-timeout', later(readyBy, plus(since, check.totalTimeout)))]
    : [];
};

/** Returns the watch for notifications (`sd_notify`) of the run. */
const notifications = (
  { spec: { id, deployment } }: Run,
  { run, process }: In<'starting' | 'up' | 'stopping'>,
): readonly Watch[] =>
  isNotifying(deployment.healthCheck)
    ? [{ type: 'notify', key: `notify:${id}#${run}`, service: id, run, process }]
    : [];

const cronLimit = (service: Run, since: Instant): readonly Watch[] => {
  const limit = service.spec.cron?.timeout;
  return limit === undefined ? [] : [timer(service, 'cron-timeout', plus(since, limit))];
};

const preparing = (service: Run, state: In<'preparing'>, settings: Settings): readonly Watch[] => {
  const { spec } = service;
  const command = state.step === 'skip' ? spec.skip : spec.deployment.preStart;
  if (typeof command !== 'string') return [];
  return [
    {
      type: 'command',
      key: `command:${spec.id}#${state.run}:${state.step}`,
      service: spec.id,
      run: state.run,
      purpose: state.step,
      command,
      spec,
      budget: settings.preStart,
    },
  ];
};

const peak = (service: Run, { run, process }: In<'starting' | 'up'>): readonly Watch[] => {
  const { id, kind } = service.spec;
  return kind === 'cron' ? [{ type: 'peak', key: `peak:${id}#${run}`, service: id, run, process }] : [];
};

const starting = (service: Run, state: In<'starting'>, settings: Settings): readonly Watch[] => [
  exit(service, state.run, state.process),
  ...(service.spec.deployment.healthCheck === undefined
    ? [timer(service, 'stability', plus(state.since, settings.startupStability))]
    : probeWatches(service, state.process, 'starting')),
  ...readyLimit(service, state),
  ...notifications(service, state),
  ...cronLimit(service, state.since),
  ...peak(service, state),
];

/** Returns the timer that resets the restart count. */
const proof = (service: Run, state: In<'up'>): readonly Watch[] => {
  const due = provenAt(service, state);
  return due === undefined ? [] : [timer(service, 'proven', due)];
};

/** Returns the watches for `max_memory`: the measurements, and the end of the time over the limit. */
const memory = (service: ServiceOrRun, { run, process, overweight }: In<'up'>): readonly Watch[] => {
  const { maxMemory: limit, maxMemoryFor: length, id } = service.spec;
  const every = measuringInterval(service);
  if (every === undefined || limit === undefined || length === undefined) return [];
  const key = `resident:${id}#${run}:${limit}:${every}`;
  return [
    { type: 'resident', key, service: id, run, process, limit, every },
    ...(overweight !== undefined && isReplacedInTime(service)
      ? [timer(service, 'memory', plus(overweight.since, length))]
      : []),
  ];
};

const up = (service: ServiceOrRun, state: In<'up'>): readonly Watch[] => [
  exit(service, state.run, state.process),
  ...probeWatches(service, state.process, 'steady'),
  ...notifications(service, state),
  ...livenessWatches(service, state.process),
  ...proof(service, state),
  ...cronLimit(service, state.since),
  ...peak(service, state),
  ...memory(service, state),
];

const limitOf = (service: Run, state: In<'stopping'>, settings: Settings): readonly Watch[] => {
  switch (state.phase) {
    case 'asking': {
      const due = plus(state.phaseSince, service.spec.stopTimeout);
      return [timer(service, 'stop-timeout', later(state.stopBy ?? due, due))];
    }
    case 'killing':
      return [timer(service, 'stop-verify', plus(state.phaseSince, settings.stopVerify))];
    case 'unverified':
      return [];
  }
};

const tree = (service: Run, state: In<'stopping'>): Watch => ({
  type: 'tree',
  key: `tree:${service.spec.id}#${state.run}`,
  service: service.spec.id,
  run: state.run,
  process: state.process,
  fifoPair: service.lane ?? 0,
});

/**
 * Returns the watches of a run that is being stopped. The time limits of the stop stay while the leader's
 * exit is unknown.
 */
const stopping = (service: Run, state: In<'stopping'>, settings: Settings): readonly Watch[] => [
  ...(state.exit === undefined ? [exit(service, state.run, state.process)] : []),
  ...(state.survivors?.length === 0 ? [] : [tree(service, state)]),
  ...stopCommand(service, state),
  ...(isOver(state) ? [] : notifications(service, state)),
  ...(isOver(state) ? [] : limitOf(service, state, settings)),
];

const isOver = ({ survivors, exit: known }: In<'stopping'>): boolean =>
  survivors?.length === 0 && known !== undefined;

const ofState = (service: ServiceOrRun, settings: Settings): readonly Watch[] => {
  const state = service.actual;
  switch (state.tag) {
    case 'preparing':
      return preparing(service, state, settings);
    case 'starting':
      return starting(service, state, settings);
    case 'up':
      return up(service, state);
    case 'stopping':
      return stopping(service, state, settings);
    case 'backing-off':
      return [timer(service, 'backoff', state.until)];
    case 'down':
    case 'scheduled':
    case 'waiting':
    case 'spawning':
    case 'broken':
    case 'casualty':
      return [];
  }
};

const alarm = ({ spec, schedule, wanted, actual }: Run): readonly Watch[] => {
  const due = nextRunAt(schedule);
  return due === undefined || wanted === 'down' || actual.tag === 'down'
    ? []
    : [{ type: 'alarm', key: `alarm:${spec.id}@${due}`, service: spec.id, due }];
};

/** Returns watches for the leftover processes of earlier runs. */
const leftoverWatches = (service: ServiceOrRun, settings: Settings): readonly Watch[] =>
  (service.remnants ?? []).flatMap(({ run, process, since, unverified }): readonly Watch[] => {
    const { id } = service.spec;
    const due = plus(since, settings.stopVerify);
    const limit = { type: 'timer', service: id, run, timer: 'stop-verify', due } as const;
    return [
      { type: 'tree', key: `leftover:${id}#${run}`, service: id, run, process, fifoPair: 0 },
      ...(unverified ? [] : [{ ...limit, key: `leftover-limit:${id}#${run}` }]),
    ];
  });

/**
 * Returns the cgroup of the service if only the current run uses it; `undefined` if a process in the cgroup
 * may belong to another run or a child.
 */
export const ownCgroup = (service: Service): string | undefined =>
  service.rollout === undefined && childrenIn(service).length === 0 ? cgroupOf(service.spec) : undefined;

/**
 * Returns a function that adds the cgroup to a `tree` watch, so that a stop ends only when the cgroup is
 * empty.
 */
const inCgroup =
  (cgroup: string | undefined) =>
  (watch: Watch): Watch =>
    watch.type === 'tree' && cgroup !== undefined ? { ...watch, key: `${watch.key}:cgroup`, cgroup } : watch;

/** Returns all watches of a run. `cgroup` is given only if no other run uses it. */
export const watchesOf = (service: ServiceOrRun, settings: Settings, cgroup?: string): readonly Watch[] => [
  ...ofState(service, settings).map(inCgroup(cgroup)),
  ...alarm(service),
  ...leftoverWatches(service, settings),
];
