// The shape of a recorded `Service`: a supervisor can continue with every value that passes.
import { NAME_PATTERN, serviceId, type ProjectId } from '../../streams/domain/ids.ts';
import type { Child, PastChild } from '../../streams/domain/service/child.ts';
import type { Act, Incident } from '../../streams/domain/service/incident.ts';
import type { Remnant } from '../../streams/domain/service/remnant.ts';
import type { RolloutRecord, RolloutStep, Stage } from '../../streams/domain/service/rollout.ts';
import type {
  CronRun,
  HealthProgress,
  In,
  LastExit,
  LastFailure,
  Rollout,
  Schedule,
  Service,
  Tag,
  Transition,
} from '../../streams/domain/service/service.ts';
import type { Skipped } from '../../streams/domain/service/skipped.ts';
import {
  type Check,
  either,
  isBoolean,
  isCount,
  isDaemon,
  isExitStatus,
  isMoment,
  isNumber,
  isProcess,
  isServiceError,
  isString,
  isTaken,
  listOf,
  oneOf,
  optional,
  record,
  type Shape,
  tagged,
} from './record-checks.ts';
import { SPEC } from './recorded-spec.ts';

const HEALTH: Shape<HealthProgress> = {
  health: oneOf('healthy', 'unhealthy', 'unknown'),
  failures: isCount,
  failingSince: optional(isMoment),
  healthySince: optional(isMoment),
  lastCounted: optional(isMoment),
  error: optional(isServiceError),
};
const isDownReason = tagged({
  new: {},
  asked: {},
  completed: { left: optional(isCount) },
  ended: {},
  failed: { error: isServiceError },
  skipped: { by: isString },
});
const isStopCause = tagged({
  asked: {},
  restart: {},
  felled: { of: listOf(isString) },
  exited: { wasReady: isBoolean, asked: optional(isBoolean) },
  unhealthy: { wasReady: isBoolean, error: isServiceError },
  timeout: { error: isServiceError },
});

const STATES: { readonly [T in Tag]: Shape<Omit<In<T>, 'tag'>> } = {
  down: { why: isDownReason },
  scheduled: {},
  waiting: { for: oneOf('dependencies', 'gate') },
  preparing: { run: isCount, step: oneOf('skip', 'pre_start') },
  spawning: { run: isCount, felled: optional(listOf(isString)), again: optional(isBoolean) },
  starting: { run: isCount, process: isProcess, since: isMoment, health: record(HEALTH) },
  up: { run: isCount, process: isProcess, since: isMoment, readyAt: isMoment, health: record(HEALTH) },
  stopping: {
    run: isCount,
    process: isProcess,
    since: isMoment,
    phaseSince: isMoment,
    cause: isStopCause,
    phase: oneOf('asking', 'killing', 'unverified'),
    exit: optional(isExitStatus),
    survivors: optional(listOf(isProcess)),
    unproven: optional(isBoolean),
    asked: listOf(isProcess),
    evidence: optional(listOf(isString)),
    taken: optional(isTaken),
    daemon: optional(isDaemon),
    again: optional(isBoolean),
    named: optional(isBoolean),
  },
  'backing-off': { attempt: isCount, until: isMoment, error: isServiceError },
  broken: { error: isServiceError },
  casualty: { of: listOf(isString) },
};
const TAGS = Object.keys(STATES);

const STEPS: readonly RolloutStep[] = [
  'starting',
  'verifying',
  'switching',
  'confirming',
  'watching',
  'retiring',
  'reverting',
  'withdrawing',
];

const LAST_EXIT: Shape<LastExit> = { status: isExitStatus, at: isMoment };
const LAST_FAILURE: Shape<LastFailure> = {
  at: isMoment,
  error: isServiceError,
  exit: optional(isExitStatus),
  exitedAt: optional(isMoment),
};
const isCauseFacts = either(
  record({ of: listOf(isString) }),
  record({ dependency: isString }),
  record({ purpose: oneOf('skip', 'pre_start', 'switch'), status: optional(isExitStatus) }),
  record({ pid: isCount }),
  record({ error: isServiceError }),
  record({ status: isExitStatus }),
  record({ probe: oneOf('passed', 'timed-out', 'unreachable', 'unhealthy'), detail: optional(isString) }),
  record({ probe: oneOf('stranger'), taken: isTaken }),
  record({
    timer: oneOf(
      ...['stability', 'backoff', 'stop-timeout', 'stop-verify', 'proven', 'cron-timeout', 'grace', 'ttl'],
    ),
  }),
);
const TRANSITION: Shape<Transition> = {
  at: isMoment,
  from: oneOf(...TAGS),
  to: oneOf(...TAGS),
  down: optional(isString),
  cause: isString,
  facts: optional(isCauseFacts),
};
const ACTS: { readonly [T in Act['tag']]: Shape<Omit<Extract<Act, { tag: T }>, 'tag'>> } = {
  signal: { by: oneOf('kill', 'reload'), signal: isString },
  command: { status: isExitStatus },
};
const INCIDENT: Shape<Incident> = {
  at: isMoment,
  during: oneOf(...TAGS),
  cause: isString,
  facts: either(
    record({ health: oneOf('healthy', 'unhealthy'), streak: record(HEALTH) }),
    record({ act: tagged(ACTS) }),
  ),
};
const CRON_RUN: Shape<CronRun> = {
  due: isMoment,
  result: oneOf(
    'running',
    'success',
    'failure',
    'timeout',
    'overlap',
    'missed',
    'skipped',
    'stopped',
    'unknown',
  ),
  startedAt: optional(isMoment),
  endedAt: optional(isMoment),
  exit: optional(isExitStatus),
  exitedAt: optional(isMoment),
  error: optional(isServiceError),
  peakMemoryBytes: optional(isNumber),
};
const SCHEDULE: Shape<Schedule> = {
  due: optional(isMoment),
  rung: optional(isMoment),
  runs: listOf(record(CRON_RUN)),
};

const STAGE: Shape<Stage> = { step: oneOf(...STEPS), at: isMoment };
const isStages: Check = (value) => listOf(record(STAGE))(value) && Array.isArray(value) && value.length > 0;
const isRolled = oneOf('rolling', 'blue-green');
const ROLLOUT: Shape<Rollout> = {
  strategy: isRolled,
  stages: isStages,
  old: isCount,
  candidate: optional(isCount),
  check: record(HEALTH),
  evidence: listOf(isString),
  undoing: optional(
    tagged({ failed: { error: isServiceError, calledOff: optional(oneOf(true)) }, 'called-off': {} }),
  ),
  again: optional(record({ insisted: isBoolean })),
  other: (value) => record(SERVICE)(value),
};
const ROLLOUT_RECORD: Shape<RolloutRecord> = {
  strategy: isRolled,
  outcome: oneOf('done', 'failed', 'called-off'),
  error: optional(isServiceError),
  stages: isStages,
  ended: isMoment,
  old: isCount,
  candidate: optional(isCount),
  slot: optional(isString),
};

const SKIPPED: Shape<Skipped> = { key: isString, detail: isString };

const REMNANT: Shape<Remnant> = {
  run: isCount,
  process: isProcess,
  since: isMoment,
  alive: listOf(isProcess),
  unverified: optional(oneOf(true)),
};

const isChildParent = either(isCount, oneOf('service', 'nobody'));
const isEnding = oneOf('stopped', 'parent', 'ttl', 'memory');
const CHILD: Shape<Child> = {
  name: isString,
  run: isCount,
  parent: isChildParent,
  argv: listOf(isString),
  born: isMoment,
  ttl: optional(isNumber),
  expires: optional(isMoment),
  wanted: oneOf('up', 'down'),
  ending: optional(isEnding),
  actual: tagged({
    spawning: STATES.spawning,
    starting: STATES.starting,
    up: STATES.up,
    stopping: STATES.stopping,
  }),
  exit: optional(isExitStatus),
  askedBy: optional(isString),
};
const PAST_CHILD: Shape<PastChild> = {
  name: isString,
  run: isCount,
  parent: isChildParent,
  argv: listOf(isString),
  pid: optional(isCount),
  born: isMoment,
  ended: isMoment,
  exit: optional(isExitStatus),
  ending: optional(isEnding),
  error: optional(isServiceError),
};

const SERVICE: Shape<Service> = {
  spec: record(SPEC),
  revised: optional(record(SPEC)),
  rejected: optional(isString),
  proven: optional(isString),
  previous: optional(record(SPEC)),
  rolledBack: optional(isString),
  wanted: oneOf('up', 'down'),
  actual: tagged(STATES),
  runs: isCount,
  numbered: optional(isCount),
  remnants: optional(listOf(record(REMNANT))),
  children: optional(listOf(record(CHILD))),
  pastChildren: optional(listOf(record(PAST_CHILD))),
  grants: optional(listOf(record({ parent: isChildParent, at: isMoment }))),
  treeMemory: optional(isNumber),
  lane: optional(oneOf(0, 1)),
  slot: optional(isString),
  slotKept: optional(isString),
  rollout: optional(record(ROLLOUT)),
  rollouts: optional(listOf(record(ROLLOUT_RECORD))),
  attempts: isCount,
  restartsTotal: optional(isCount),
  lastFailure: optional(record(LAST_FAILURE)),
  insisted: isBoolean,
  leaving: isBoolean,
  resume: isBoolean,
  // Older files contain `queued` and `in-flight`. A new supervisor starts all services from the beginning.
  gate: oneOf('none', 'pending', 'queued', 'in-flight'),
  recovering: isBoolean,
  schedule: record(SCHEDULE),
  skipped: optional(listOf(record(SKIPPED))),
  lastExit: optional(record(LAST_EXIT)),
  awaitedBy: listOf(isString),
  history: listOf(record(TRANSITION)),
  incidents: optional(listOf(record(INCIDENT))),
};
const isServiceShaped = (value: unknown): value is Service => record(SERVICE)(value);

/** True for a service of that project with a name that is valid in paths. */
export const isServiceOf =
  (project: ProjectId) =>
  (value: unknown): value is Service =>
    isServiceShaped(value) &&
    value.spec.project === project &&
    NAME_PATTERN.test(project) &&
    NAME_PATTERN.test(value.spec.name) &&
    value.spec.id === serviceId(project, value.spec.name);
