// Durations and instants, both in ms. Their types differ, so the compiler reports a duration that is used as
// an instant, and the reverse.
import type { Branded } from './ids.ts';

/** A length of time in ms. */
export type Ms = Branded<number, 'Ms'>;
/** A moment of the wall clock, ms since 1970. */
export type Instant = Branded<number, 'Instant'>;

/** Converts a number of ms to a duration. */
export const ms = (length: number): Ms => length as Ms;
/** Converts a number of seconds to a duration. */
export const seconds = (length: number): Ms => (length * 1000) as Ms;
/** Converts ms since 1970 to an instant. */
export const instant = (epochMs: number): Instant => epochMs as Instant;

/** Returns the instant that is `length` after `at`. If `length` is negative, the instant is before `at`. */
export const plus = (at: Instant, length: Ms): Instant => (at + length) as Instant;
/** Returns the earlier of two instants. */
export const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b);
/** Returns the later of two instants. */
export const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);
/** Returns the time from `earlier` to `later`; negative if `later` comes first. */
export const between = (earlier: Instant, later: Instant): Ms => (later - earlier) as Ms;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const pair = (length: number, [unit, name]: [number, string], [part, partName]: [number, string]): string => {
  const whole = Math.floor(length / unit);
  const rest = Math.floor((length % unit) / part);
  return rest === 0 ? `${whole} ${name}` : `${whole} ${name} ${rest} ${partName}`;
};

/** Returns a duration as text in at most two units: `2 min 30 s`; negative ones as `0 ms`. */
export const lengthText = (length: Ms): string => {
  if (length < SECOND) return `${Math.max(0, Math.floor(length))} ms`;
  const rounded = Math.round(length / 100) * 100;
  if (rounded < MINUTE) return `${rounded / SECOND} s`;
  if (rounded < HOUR) return pair(rounded, [MINUTE, 'min'], [SECOND, 's']);
  if (rounded < DAY) return pair(rounded, [HOUR, 'h'], [MINUTE, 'min']);
  return pair(rounded, [DAY, 'd'], [HOUR, 'h']);
};
