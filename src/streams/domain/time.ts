// Durations and instants, both in milliseconds. The brands prevent the use of one for the other.
import type { Branded } from './ids.ts';

/** A length of time in milliseconds. */
export type Ms = Branded<number, 'Ms'>;
/** A moment of the wall clock in milliseconds since the epoch. */
export type Instant = Branded<number, 'Instant'>;

/** Brands a number of milliseconds as a length of time. */
export const ms = (length: number): Ms => length as Ms;
/** Converts a number of seconds to milliseconds. */
export const seconds = (length: number): Ms => (length * 1000) as Ms;
/** Brands milliseconds since 1970 as an instant. */
export const instant = (epochMs: number): Instant => epochMs as Instant;

/** Returns the instant that is `length` after `at`; a negative length gives an earlier one. */
export const plus = (at: Instant, length: Ms): Instant => (at + length) as Instant;
/** Returns the earlier of two instants. */
export const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b);
/** Returns the time from `earlier` to `later`; negative if `later` comes first. */
export const between = (earlier: Instant, later: Instant): Ms => (later - earlier) as Ms;
