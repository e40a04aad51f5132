// Moments as machines are shown them: ISO 8601 UTC.
import type { Instant } from '../../domain/time.ts';

/** The last moment a `Date` can hold; a manifest or a state file can name a later one. */
const LATEST = 8.64e15;

export const timeText = (at: Instant): string =>
  new Date(Math.min(Math.max(at, -LATEST), LATEST)).toISOString();

export const timeTextOrNull = (at: Instant | undefined): string | null =>
  at === undefined ? null : timeText(at);
