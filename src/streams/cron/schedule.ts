// When a cron service is due next (`docs/behaviour.md`, "Schedules"). Pure: it receives the start time and
// does not read the clock.
//
// At a clock change, an expression that covers all 24 hours (`*/15 * * * *`) follows real time: every reading
// of the zone's clock counts. Any other expression names times of day, each due once a day. A time that does
// not exist is due at the end of the gap. A time that occurs twice is due the first time. cron-parser
// supports zones too, but is up to an hour late after a gap. It also loses times at half-hour changes, and
// can repeat a time that occurs twice. So it calculates here on a clock that never changes, and its readings
// are converted to real time.
// Rules: `docs/behaviour.md`, "Schedules", "The expression".
import type { CronSpec } from '../domain/declared/spec.ts';
import { instant, type Instant } from '../domain/time.ts';
import { parseExpression } from './expression.ts';
import { changeBetween, firstShown, furthestReading, offsetIn, type OffsetAt } from './zone.ts';

export { cronProblem } from './expression.ts';

const HOURS = 24;

/** Finds the first reading of the expression after the given one. */
type Search = (reading: number) => number;

/** `reading` is what the clock shows at `at` or, just after a change, a moment earlier. */
const nextInRealTime = (search: Search, offsetAt: OffsetAt, [at, reading]: [number, number]): number => {
  const due = search(reading) - offsetAt(at);
  if (offsetAt(due) === offsetAt(at)) return due;
  const change = changeBetween(offsetAt, at, due);
  return nextInRealTime(search, offsetAt, [change, change + offsetAt(change) - 1]);
};

/**
 * Returns the first due time after `after`, or `undefined` if there is none (31 February) or the expression
 * is invalid.
 */
export const nextDue = ({ expression, timezone }: CronSpec, after: Instant): Instant | undefined => {
  try {
    const offsetAt = offsetIn(timezone);
    const everyHour = parseExpression(expression, after).fields.hour.values.length === HOURS;
    const search: Search = (reading) => parseExpression(expression, reading).next().getTime();
    if (everyHour) return instant(nextInRealTime(search, offsetAt, [after, after + offsetAt(after)]));
    return instant(firstShown(search(furthestReading(after, offsetAt)), offsetAt));
  } catch {
    // An unreadable expression was refused at load. cron-parser also throws if it finds nothing within its
    // bounds.
    return undefined;
  }
};
