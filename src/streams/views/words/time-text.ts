// Times for programs: ISO 8601 in UTC.
import type { Instant } from '../../domain/time.ts';

/**
 * The latest time that a `Date` can hold, ms since 1970. A manifest or state file may contain a later time.
 */
const LATEST = 8.64e15;

/**
 * Returns the time in ISO 8601, UTC, with milliseconds. A time that a `Date` cannot hold becomes the nearest
 * possible one.
 */
export const timeText = (at: Instant): string =>
  new Date(Math.min(Math.max(at, -LATEST), LATEST)).toISOString();

/** Returns the time in ISO 8601, UTC; `null` for an unknown time, as documents require. */
export const timeTextOrNull = (at: Instant | undefined): string | null =>
  at === undefined ? null : timeText(at);
