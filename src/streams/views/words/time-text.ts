// Formats times for programs: ISO 8601 in UTC.
import type { Instant } from '../../domain/time.ts';

/** The latest time of a `Date`, ms since 1970. A manifest or state file may contain a later time. */
const LATEST = 8.64e15;

/**
 * Returns the time in ISO 8601, UTC, with milliseconds. A time outside of the range of a `Date` becomes the
 * nearest time inside.
 */
export const timeText = (at: Instant): string =>
  new Date(Math.min(Math.max(at, -LATEST), LATEST)).toISOString();

/** Returns the time in ISO 8601, UTC; `null` for an unknown time. */
export const timeTextOrNull = (at: Instant | undefined): string | null =>
  at === undefined ? null : timeText(at);
