// Moments as machines are shown them: ISO 8601 UTC.
import type { Instant } from '../../domain/time.ts';

/** The last moment a `Date` can hold; a manifest or a state file can name a later one. */
const LATEST = 8.64e15;

/** ISO 8601 in UTC, to the millisecond; beyond what a date can hold, the last that it can. */
export const timeText = (at: Instant): string =>
  new Date(Math.min(Math.max(at, -LATEST), LATEST)).toISOString();

/** For documents, in which a moment that is not known is `null`. */
export const timeTextOrNull = (at: Instant | undefined): string | null =>
  at === undefined ? null : timeText(at);
