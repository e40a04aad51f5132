// Handles events that a service reports about itself (`sup event`): finds the run that reports an event, and
// limits the number of events.
// Rules: `docs/behaviour.md`, "Events that a service reports", "The sender", "Size and rate".
import type { Report } from '../domain/command.ts';
import type { SupError } from '../domain/errors/error.ts';
import type { RunId, ServiceId } from '../domain/ids.ts';
import type { Ancestry } from '../domain/service/ancestry.ts';
import type { Service } from '../domain/service/service.ts';
import { between, seconds, type Instant } from '../domain/time.ts';
import { unitMark } from '../env/run-tag.ts';
import { meet } from './check-caller-and-parent.ts';

/** The number of events of a service in the present second. */
interface ReportCount {
  readonly since: Instant;
  readonly taken: number;
  readonly refused: number;
}

export type ReportCounts = Readonly<Record<ServiceId, ReportCount>>;

const MOST_IN_WINDOW = 10;
const WINDOW = seconds(1);

type Sender =
  | { readonly ok: true; readonly service: Service; readonly run: RunId }
  | { readonly ok: false; readonly error: SupError };

const refused = (detail: string): Extract<Sender, { ok: false }> => ({
  ok: false,
  error: { code: 'ERR0409', detail },
});

/** Returns the live run from which the sending process descends, according to `/proc`; or the error. */
export const senderIn = (services: readonly Service[], ancestry: Ancestry, { unit }: Report): Sender => {
  if (ancestry.tag === 'unknown') return refused(`the sender cannot be identified: ${ancestry.detail}`);
  const met = meet(ancestry.line, services);
  if (met === undefined) return refused('sup event works only inside a running service');
  const { service, run } = met.led;
  const mark = unitMark(service.spec.id, run);
  return unit === undefined || unit === mark
    ? { ok: true, service, run }
    : refused(`its environment says ${unit}, and its ancestry ${mark}`);
};

interface CountedReport {
  readonly counts: ReportCounts;
  readonly isTaken: boolean;
  /** The number of events of the service that were refused after the last accepted one. */
  readonly missed: number;
}

const isCurrent = ({ since }: ReportCount, at: Instant): boolean =>
  between(since, at) < WINDOW && between(since, at) >= 0;

/**
 * Counts one more event of the service. Removes the counts of other services that reported no event in the
 * last second and have no refused events.
 */
export const countReport = (counts: ReportCounts, id: ServiceId, at: Instant): CountedReport => {
  const others = Object.entries(counts).filter(
    ([other, count]) => other !== id && (isCurrent(count, at) || count.refused > 0),
  );
  const known = counts[id];
  const { taken, since } = known !== undefined && isCurrent(known, at) ? known : { taken: 0, since: at };
  const missed = known?.refused ?? 0;
  const isTaken = taken < MOST_IN_WINDOW;
  const next = isTaken ? { since, taken: taken + 1, refused: 0 } : { since, taken, refused: missed + 1 };
  return { counts: { ...Object.fromEntries(others), [id]: next }, isTaken, missed: isTaken ? missed : 0 };
};
