// When a cron service is due next (`docs/behaviour.md`, "Schedules"). Pure: the moment to start from comes in, the
// clock is not read.
//
// Where clocks change, an expression that covers all 24 hours (`*/15 * * * *`) follows real time: every reading counts
// that a clock of the zone shows. Any other names times of day, and each of them is kept once a day: a time that does
// not exist is due at the end of the gap, one that comes twice is due the first time. cron-parser knows zones too, but
// it is late by up to an hour after a gap, loses times where clocks move by half an hour, and repeats a time when asked
// during its second coming. So here it works on a clock that never changes, and its readings are taken to the real one.
import type { CronSpec } from '../domain/declared/spec.ts';
import { instant, type Instant } from '../domain/time.ts';
import { parseExpression } from './expression.ts';
import { changeBetween, firstShown, furthestReading, offsetIn, type OffsetAt } from './zone.ts';

export { cronProblem } from './expression.ts';

const HOURS = 24;

/** Finds the first reading of the expression later than the one given. */
type Search = (reading: number) => number;

/** `reading` is what the clock shows at `at`, or, where it just changed, a moment earlier. */
const nextInRealTime = (search: Search, offsetAt: OffsetAt, [at, reading]: [number, number]): number => {
  const due = search(reading) - offsetAt(at);
  if (offsetAt(due) === offsetAt(at)) return due;
  const change = changeBetween(offsetAt, at, due);
  return nextInRealTime(search, offsetAt, [change, change + offsetAt(change) - 1]);
};

/** The first boundary later than `after`; `undefined` when there is none (31 February), or the expression is broken. */
export const nextDue = ({ expression, timezone }: CronSpec, after: Instant): Instant | undefined => {
  try {
    const offsetAt = offsetIn(timezone);
    const everyHour = parseExpression(expression, after).fields.hour.values.length === HOURS;
    const search: Search = (reading) => parseExpression(expression, reading).next().getTime();
    if (everyHour) return instant(nextInRealTime(search, offsetAt, [after, after + offsetAt(after)]));
    return instant(firstShown(search(furthestReading(after, offsetAt)), offsetAt));
  } catch {
    // What cannot be read was refused at load; what is not found within its bounds, cron-parser throws for.
    return undefined;
  }
};
