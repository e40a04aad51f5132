// The shape of a recorded error of a service: its code, and the facts that belong to the code.
import type { ServiceError } from '../../../streams/domain/errors/error.ts';
import {
  isBoolean,
  isCount,
  isNumber,
  isString,
  listOf,
  oneOf,
  optional,
  record,
  tagged,
  taggedBy,
  type Check,
} from './check.ts';

type Facts = Readonly<Record<string, Check>>;
const CAUSE: Facts = { outOfMemory: optional(isBoolean) };
export const isExitStatus = tagged({
  code: { code: isCount, ...CAUSE },
  signal: { signal: isString, ...CAUSE },
  unknown: CAUSE,
});

export const isDaemon = record({ pid: isCount, name: isString });
const isHolder = record({ pid: isCount, name: optional(isString), service: optional(isString) });
export const isTaken = record({ port: isCount, holder: optional(isHolder) });

const isEvidence = optional(listOf(isString));
const DETAILED: Facts = { detail: isString };
const OF_KEY: Facts = { key: isString, detail: isString, final: optional(oneOf(true)) };
const LIMITED: Facts = { limit: isNumber };
const OF_ROLLOUT: Facts = {
  detail: isString,
  evidence: listOf(isString),
  old: optional(oneOf('gone', 'unknown')),
};
const WITNESSED: Facts = { status: isExitStatus, evidence: listOf(isString) };

const FACTS: Readonly<Record<ServiceError['code'], Facts>> = {
  ERR0022: DETAILED,
  ERR0023: LIMITED,
  ERR0101: { status: isExitStatus },
  ERR0102: WITNESSED,
  ERR0103: WITNESSED,
  ERR0104: DETAILED,
  ERR0105: { status: optional(isExitStatus), taken: optional(isTaken) },
  ERR0107: { waited: isNumber },
  ERR0108: { budget: isNumber, step: optional(oneOf('skip')) },
  ERR0109: { dependency: isString },
  ERR0110: { attempts: isNumber, last: optional((value) => isServiceError(value)) },
  ERR0112: { survivors: listOf(isCount), waited: isNumber },
  ERR0113: { ...OF_KEY, key: optional(isString) },
  ERR0114: LIMITED,
  ERR0115: OF_ROLLOUT,
  ERR0116: OF_ROLLOUT,
  ERR0117: {},
  ERR0723: OF_KEY,
  ERR0724: OF_KEY,
  ERR0725: OF_KEY,
  ERR0726: OF_KEY,
  ERR0742: OF_KEY,
  ERR0743: OF_KEY,
  ERR0744: OF_KEY,
  ERR0745: OF_KEY,
  ERR0746: OF_KEY,
  ERR0118: { daemon: isDaemon },
};

export const isServiceError: Check = taggedBy(
  'code',
  Object.fromEntries(
    Object.entries(FACTS).map(([code, facts]) => [
      code,
      { service: isString, evidence: isEvidence, ...facts },
    ]),
  ),
);
