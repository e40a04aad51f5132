// Updates the remaining time in a reason that was written a while ago.
import { between, instant, lengthText, type Instant } from '../../domain/time.ts';
import type { ServiceDocument } from '../../wire/documents/documents.ts';

type Shown = Pick<ServiceDocument, 'reason' | 'state' | 'next_run_at' | 'next_attempt_at'>;

const NEXT_RUN = /(?<=^next run in )[^;]+/;
const NEXT_ATTEMPT = /(?<=; attempt \d+ of \d+ in )[^;]+/;

const left = (at: string, now: Instant): string => lengthText(between(now, instant(Date.parse(at))));

/** `next run in 12 s` if the document said `next run in 20 s` eight seconds ago. */
export const reasonNow = (service: Shown, now: Instant): string | null => {
  const { reason, state, next_run_at: run, next_attempt_at: attempt } = service;
  if (reason === null) return null;
  if (state === 'scheduled' && run !== null) return reason.replace(NEXT_RUN, left(run, now));
  if (state === 'backoff' && attempt !== null) return reason.replace(NEXT_ATTEMPT, left(attempt, now));
  return reason;
};
