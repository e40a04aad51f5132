// Time zones as offsets from UTC. A zone is an IANA name, `utc`, or `local`, the zone of this machine. A
// reading is what a wall clock shows, in milliseconds, as if it were UTC. Clocks are assumed to change at
// most once in two days.

const DAY = 24 * 3600 * 1000;

/**
 * Returns the offset of a zone at a moment: local reading minus UTC, in milliseconds. Moments are
 * milliseconds since the epoch.
 */
export type OffsetAt = (at: number) => number;

/** Returns the name by which Intl knows the zone; `undefined` for the zone of this machine. */
const zoneName = (timezone: string): string | undefined => {
  if (timezone === 'local') return undefined;
  return timezone === 'utc' ? 'UTC' : timezone;
};

/** Returns why this is not a time zone; `undefined` if it is one. */
export const zoneProblem = (timezone: string): string | undefined => {
  const problem = `"${timezone}" is not an IANA time zone, utc or local`;
  // Offsets such as +02:00 are refused, since only some versions of Node support them.
  if (!/^[A-Za-z]/.test(timezone)) return problem;
  try {
    Intl.DateTimeFormat('en-US', { timeZone: zoneName(timezone) });
    return undefined;
  } catch {
    return problem;
  }
};

/** Matches an offset as Intl formats it: `GMT+02:00`, or `GMT` alone. */
const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/**
 * Returns the function that gives the offset of a zone. Throws a RangeError if `zoneProblem` finds a problem.
 */
export const offsetIn = (timezone: string): OffsetAt => {
  const format = Intl.DateTimeFormat('en-US', { timeZone: zoneName(timezone), timeZoneName: 'longOffset' });
  return (at) => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
    const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(name ?? '') ?? [];
    const length = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -length : length;
  };
};

/** Returns the first moment with the offset that applies at `to`; another offset must apply at `from`. */
export const changeBetween = (offsetAt: OffsetAt, from: number, to: number): number => {
  let [before, since] = [from, to];
  const offset = offsetAt(to);
  while (since - before > 1) {
    const middle = Math.floor((before + since) / 2);
    if (offsetAt(middle) === offset) since = middle;
    else before = middle;
  }
  return since;
};

/**
 * Returns the moment at which a clock first shows `reading`; if a clock change skips the reading, the moment
 * of the change.
 */
export const firstShown = (reading: number, offsetAt: OffsetAt): number => {
  const [before, since] = [offsetAt(reading - DAY), offsetAt(reading + DAY)];
  const [early, late] = [reading - before, reading - since];
  if (offsetAt(early) === before) return early;
  return offsetAt(late) === since ? late : changeBetween(offsetAt, late, early);
};

/**
 * Returns the latest reading that a clock has shown by `at`. While it shows an hour for the second time, that
 * is the end of that hour.
 */
export const furthestReading = (at: number, offsetAt: OffsetAt): number => {
  const reading = at + offsetAt(at);
  const first = firstShown(reading, offsetAt);
  return first < at ? changeBetween(offsetAt, first, at) + offsetAt(first) - 1 : reading;
};
