// Moments for programs: ISO 8601 UTC.
import type { Instant } from '../../domain/time.ts';

/** The last moment that a `Date` can hold; a manifest or state file can name a later one. */
const LATEST = 8.64e15;

/** ISO 8601 in UTC, to the millisecond; values out of range become the nearest date. */
export const timeText = (at: Instant): string =>
  new Date(Math.min(Math.max(at, -LATEST), LATEST)).toISOString();

/** The same for documents, where an unknown moment is `null`. */
export const timeTextOrNull = (at: Instant | undefined): string | null =>
  at === undefined ? null : timeText(at);
