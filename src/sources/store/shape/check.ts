// Checks of data read from disk. A shape lists every field of its type, which the compiler enforces. Unlisted
// fields are accepted, since older and newer supervisors may write them.
import { isFields } from '../../../streams/wire/check.ts';

export type Check = (value: unknown) => boolean;
/** A check for every field of `T`. */
export type Shape<T> = { readonly [K in keyof T]-?: Check };
type Checks = Readonly<Record<string, Check>>;

export const isString = (value: unknown): value is string => typeof value === 'string';
export const isBoolean: Check = (value) => typeof value === 'boolean';
export const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
export const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/** The largest moment that a `Date` can hold, in ms. */
const LATEST_MS = 8.64e15;

/** True for a time that can be shown: a damaged digit can make an invalid date. */
export const isMoment: Check = (value) => isNumber(value) && Math.abs(Number(value)) <= LATEST_MS;

export const isArrayOf =
  <T>(check: (value: unknown) => value is T) =>
  (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.every(check);

export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

export const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));

export const oneOf =
  (...words: readonly unknown[]): Check =>
  (value) =>
    words.includes(value);

export const mapOf =
  (check: Check): Check =>
  (value) =>
    isFields(value) && Object.values(value).every(check);

export const record =
  (fields: Checks): Check =>
  (value) =>
    isFields(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

/** Checks an object by the shape that its `key` selects. */
export const taggedBy =
  (key: string, shapes: Readonly<Record<string, Checks>>): Check =>
  (value) => {
    if (!isFields(value)) return false;
    const tag = value[key];
    const shape = isString(tag) && Object.hasOwn(shapes, tag) ? shapes[tag] : undefined;
    return shape !== undefined && record(shape)(value);
  };

export const tagged = (shapes: Readonly<Record<string, Checks>>): Check => taggedBy('tag', shapes);
