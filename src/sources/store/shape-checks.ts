// Checks data from disk. A shape lists every field of its type, which the compiler enforces. Other fields are
// accepted, because other versions may write them.
import type { ServiceError } from '../../streams/domain/errors/error.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { isFields } from '../../streams/wire/params/checked-fields.ts';

export type ValueCheck = (value: unknown) => boolean;
/** A check for every field of the type `T`: all must hold for a value to be accepted. */
export type Shape<T> = { readonly [K in keyof T]-?: ValueCheck };
type Checks = Readonly<Record<string, ValueCheck>>;

export const isString = (value: unknown): value is string => typeof value === 'string';
export const isBoolean: ValueCheck = (value) => typeof value === 'boolean';
export const isNumber: ValueCheck = (value) => typeof value === 'number' && Number.isFinite(value);
export const isCount: ValueCheck = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/** The largest time that a `Date` can hold, ms. */
const LATEST_MS = 8.64e15;

/** True for a time that a `Date` can hold. A damaged digit could result in a larger number. */
export const isMoment: ValueCheck = (value) => isNumber(value) && Math.abs(Number(value)) <= LATEST_MS;

export const isArrayOf =
  <T>(check: (value: unknown) => value is T) =>
  (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.every(check);

export const listOf =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    Array.isArray(value) && value.every(check);

export const optional =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    value === undefined || check(value);

export const either =
  (...checks: readonly ValueCheck[]): ValueCheck =>
  (value) =>
    checks.some((check) => check(value));

export const oneOf =
  (...words: readonly unknown[]): ValueCheck =>
  (value) =>
    words.includes(value);

export const mapOf =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    isFields(value) && Object.values(value).every(check);

export const record =
  (fields: Checks): ValueCheck =>
  (value) =>
    isFields(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

/** Returns a check for an object: the field `key` selects the shape. */
const taggedBy =
  (key: string, shapes: Readonly<Record<string, Checks>>): ValueCheck =>
  (value) => {
    if (!isFields(value)) return false;
    const tag = value[key];
    const shape = isString(tag) && Object.hasOwn(shapes, tag) ? shapes[tag] : undefined;
    return shape !== undefined && record(shape)(value);
  };

export const tagged = (shapes: Readonly<Record<string, Checks>>): ValueCheck => taggedBy('tag', shapes);

type Facts = Readonly<Record<string, ValueCheck>>;
const CAUSE: Facts = { listed: optional(isBoolean), outOfMemory: optional(isBoolean) };
export const isExitStatus = tagged({
  code: { code: isCount, ...CAUSE },
  signal: { signal: isString, ...CAUSE },
  unknown: CAUSE,
});

const PROCESS: Shape<ProcessRef> = {
  pid: (pid) => isCount(pid) && Number(pid) > 1,
  startTicks: isCount,
  uid: optional(isCount),
};
export const isProcess = record(PROCESS);
export const isDaemon = record({ pid: isCount, name: isString });
const isHolder = record({ pid: isCount, name: optional(isString), service: optional(isString) });
export const isTaken = record({ port: isCount, holder: optional(isHolder) });

const isEvidence = optional(listOf(isString));
const DETAILED: Facts = { detail: isString };
const OF_KEY: Facts = { key: isString, detail: isString, final: optional(oneOf(true)) };
const LIMITED: Facts = { limit: isNumber };
const OF_CHECK: Facts = { liveness: optional(oneOf(true)) };
const OF_ROLLOUT: Facts = {
  detail: isString,
  evidence: listOf(isString),
  old: optional(oneOf('gone', 'unknown')),
};
const WITNESSED: Facts = { status: isExitStatus, evidence: listOf(isString) };

const FACTS: Readonly<Record<ServiceError['code'], Facts>> = {
  ERR0022: { ...OF_CHECK, ...DETAILED },
  ERR0023: { ...OF_CHECK, ...LIMITED },
  ERR0024: { ...OF_CHECK, ...LIMITED },
  ERR0101: { status: isExitStatus },
  ERR0102: WITNESSED,
  ERR0103: WITNESSED,
  ERR0104: { ...OF_CHECK, ...DETAILED },
  ERR0105: { ...OF_CHECK, status: optional(isExitStatus), taken: optional(isTaken) },
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
  ERR0125: OF_KEY,
  ERR0126: OF_KEY,
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
  ERR0124: { ...DETAILED, name: isString, file: isString },
  ERR0120: { bytes: isNumber, limit: isNumber, length: isNumber },
  ERR0123: { ...DETAILED, file: isString },
  ERR0122: { status: optional(isExitStatus), budget: optional(isNumber) },
};

export const isServiceError: ValueCheck = taggedBy(
  'code',
  Object.fromEntries(
    Object.entries(FACTS).map(([code, facts]) => [
      code,
      { service: isString, evidence: isEvidence, ...facts },
    ]),
  ),
);
