// The shape of a recorded `Service`. A supervisor can continue with every value that passes the check.
import { NAME_PATTERN, RECORDED_NAME, serviceId, type ProjectId } from '../../streams/domain/ids.ts';
import type { Child, PastChild } from '../../streams/domain/service/child.ts';
import type { LeftoverRun, Rollout, Service, ServiceFacts } from '../../streams/domain/service/service.ts';
import type { RolloutRecord, RolloutStep, Stage } from '../../streams/domain/service/rollout.ts';
import {
  type ValueCheck,
  either,
  isBoolean,
  isCount,
  isExitStatus,
  isMoment,
  isNumber,
  isProcess,
  isServiceError,
  isString,
  listOf,
  oneOf,
  optional,
  record,
  type Shape,
  tagged,
} from './shape-checks.ts';
import { HEALTH, RUN, STATES } from './recorded-run-shape.ts';
import { SPEC } from './recorded-spec-shape.ts';

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

const STAGE: Shape<Stage> = { step: oneOf(...STEPS), at: isMoment };
const isStages: ValueCheck = (value) =>
  listOf(record(STAGE))(value) && Array.isArray(value) && value.length > 0;
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
  again: optional(record({ insisted: isBoolean, by: optional(isString) })),
  other: record(RUN),
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
  ofChange: optional(oneOf(true)),
};

const LEFTOVER_RUN: Shape<LeftoverRun> = {
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

const FACTS: Shape<ServiceFacts> = {
  revised: optional(record(SPEC)),
  rejected: optional(isString),
  previous: optional(record(SPEC)),
  rolledBack: optional(isString),
  remnants: optional(listOf(record(LEFTOVER_RUN))),
  children: optional(listOf(record(CHILD))),
  pastChildren: optional(listOf(record(PAST_CHILD))),
  grants: optional(listOf(record({ parent: isChildParent, at: isMoment }))),
  treeMemory: optional(isNumber),
  changedFile: optional(record({ file: isString, due: isMoment })),
  slotKept: optional(isString),
  rollout: optional(record(ROLLOUT)),
  rollouts: optional(listOf(record(ROLLOUT_RECORD))),
  leaving: isBoolean,
  resume: isBoolean,
  // Files of older supervisors contain `queued` and `in-flight`.
  gate: oneOf('none', 'pending', 'queued', 'in-flight'),
  awaitedBy: listOf(isString),
};
const SERVICE: Shape<Service> = { ...RUN, ...FACTS };
const isServiceShaped = (value: unknown): value is Service => record(SERVICE)(value);

/** Returns a check that is true for a record of a service of this project whose names are valid in paths. */
export const isServiceOf =
  (project: ProjectId) =>
  (value: unknown): value is Service =>
    isServiceShaped(value) &&
    value.spec.project === project &&
    NAME_PATTERN.test(project) &&
    RECORDED_NAME.test(value.spec.name) &&
    value.spec.id === serviceId(project, value.spec.name);
