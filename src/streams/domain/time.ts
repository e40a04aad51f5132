// Durations and instants. Both are milliseconds; the brands keep one from standing in for the other.
import type { Branded } from './ids.ts';

/** A length of time in milliseconds. */
export type Ms = Branded<number, 'Ms'>;
/** A moment of the wall clock in milliseconds since the epoch. */
export type Instant = Branded<number, 'Instant'>;

/** Milliseconds, of a number that says them. */
export const ms = (length: number): Ms => length as Ms;
/** Milliseconds, of a number of seconds. */
export const seconds = (length: number): Ms => (length * 1000) as Ms;
/** A moment, of milliseconds since 1970. */
export const instant = (epochMs: number): Instant => epochMs as Instant;

/** So much later; earlier, if the length is negative. */
export const plus = (at: Instant, length: Ms): Instant => (at + length) as Instant;
/** Whichever comes first. */
export const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b);
/** From `earlier` to `later`; negative when they are the other way round. */
export const between = (earlier: Instant, later: Instant): Ms => (later - earlier) as Ms;
