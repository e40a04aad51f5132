// The shape of a recorded `Run`: a check for each field.
import type { HealthProgress, In, Notified, Tag } from '../../streams/domain/service/service-state.ts';
import type { Act, Incident } from '../../streams/domain/service/history-facts.ts';
import type {
  CronRun,
  LastExit,
  LastFailure,
  Run,
  Schedule,
  Skipped,
  Transition,
} from '../../streams/domain/service/service-run.ts';
import {
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
} from './shape-checks.ts';
import { SPEC } from './recorded-spec-shape.ts';

export const HEALTH: Shape<HealthProgress> = {
  health: oneOf('healthy', 'unhealthy', 'unknown'),
  failures: isCount,
  failingSince: optional(isMoment),
  healthySince: optional(isMoment),
  lastCounted: optional(isMoment),
  error: optional(isServiceError),
  liveness: optional(isBoolean),
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
  unhealthy: { wasReady: isBoolean, error: isServiceError, final: optional(isBoolean) },
  timeout: { error: isServiceError },
});

const NOTIFIED: Shape<Notified> = {
  status: optional(isString),
  reloading: optional(oneOf(true)),
  stopping: optional(oneOf(true)),
};
const isNotified = optional(record(NOTIFIED));

export const STATES: { readonly [T in Tag]: Shape<Omit<In<T>, 'tag'>> } = {
  down: { why: isDownReason },
  scheduled: {},
  waiting: { for: oneOf('dependencies', 'gate') },
  preparing: { run: isCount, step: oneOf('skip', 'pre_start') },
  spawning: { run: isCount, felled: optional(listOf(isString)), again: optional(isBoolean) },
  starting: {
    ...{ run: isCount, process: isProcess, since: isMoment, health: record(HEALTH) },
    ...{ notified: isNotified, readyBy: optional(isMoment) },
  },
  up: {
    ...{ run: isCount, process: isProcess, since: isMoment, readyAt: isMoment },
    health: record(HEALTH),
    alive: optional(record(HEALTH)),
    notified: isNotified,
    overweight: optional(record({ since: isMoment, bytes: isNumber })),
  },
  stopping: {
    run: isCount,
    process: isProcess,
    since: isMoment,
    phaseSince: isMoment,
    cause: isStopCause,
    phase: oneOf('asking', 'killing', 'unverified'),
    commanded: optional(oneOf(true)),
    notified: isNotified,
    stopBy: optional(isMoment),
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

const LAST_EXIT: Shape<LastExit> = { status: isExitStatus, at: isMoment };
const LAST_FAILURE: Shape<LastFailure> = {
  at: isMoment,
  error: isServiceError,
  exit: optional(isExitStatus),
  exitedAt: optional(isMoment),
};
const isCauseFacts = either(
  record({ of: listOf(isString) }),
  record({ without: listOf(isString) }),
  record({ dependency: isString }),
  record({ purpose: oneOf('skip', 'pre_start', 'switch', 'stop'), status: optional(isExitStatus) }),
  record({ pid: isCount }),
  record({ error: isServiceError }),
  record({ status: isExitStatus }),
  record({
    probe: oneOf('passed', 'timed-out', 'silent', 'unreachable', 'unhealthy'),
    detail: optional(isString),
    liveness: optional(oneOf(true)),
  }),
  record({ probe: oneOf('stranger'), taken: isTaken, liveness: optional(oneOf(true)) }),
  record({
    timer: oneOf(
      ...['stability', 'backoff', 'stop-timeout', 'stop-verify', 'memory', 'proven', 'cron-timeout'],
      ...['ready-timeout', 'grace', 'ttl', 'changed'],
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
  by: optional(isString),
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
    record({ error: isServiceError }),
    record({ changed: isString, action: isString }),
  ),
};
const isBy = oneOf('queued', 'caught-up', 'delayed');
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
  by: optional(isBy),
};
const SCHEDULE: Shape<Schedule> = {
  due: optional(isMoment),
  delay: optional(isNumber),
  rung: optional(isMoment),
  rungBy: optional(isBy),
  runs: listOf(record(CRON_RUN)),
};

const SKIPPED: Shape<Skipped> = { key: isString, detail: isString };

export const RUN: Shape<Run> = {
  spec: record(SPEC),
  proven: optional(isString),
  wanted: oneOf('up', 'down'),
  actual: tagged(STATES),
  runs: isCount,
  numbered: optional(isCount),
  lane: optional(oneOf(0, 1)),
  slot: optional(isString),
  attempts: isCount,
  restartsTotal: optional(isCount),
  lastFailure: optional(record(LAST_FAILURE)),
  insisted: isBoolean,
  askedBy: optional(isString),
  recovering: isBoolean,
  schedule: record(SCHEDULE),
  skipped: optional(listOf(record(SKIPPED))),
  lastExit: optional(record(LAST_EXIT)),
  history: listOf(record(TRANSITION)),
  incidents: optional(listOf(record(INCIDENT))),
};
