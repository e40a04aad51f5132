// Converts between instants and the local times of time zones. A time zone is an IANA name, `utc` or `local`.
// A reading is the time that a wall clock shows, encoded in ms as if it were UTC. Clocks are assumed to
// change at most once in two days.
// Rules: `docs/behaviour.md`, "Schedules", "The expression", "When the local time changes".

const DAY = 24 * 3600 * 1000;

/** A function that returns local time minus UTC, ms. `at`: ms since 1970. */
export type OffsetAt = (at: number) => number;

/** Returns the zone's name for `Intl`; `undefined` for this machine's zone. */
const zoneName = (timezone: string): string | undefined => {
  if (timezone === 'local') return undefined;
  return timezone === 'utc' ? 'UTC' : timezone;
};

/** Returns an error text if this is not a time zone. */
export const zoneProblem = (timezone: string): string | undefined => {
  const problem = `"${timezone}" is not an IANA time zone, utc or local`;
  // Offsets such as +02:00 are refused, because only some versions of Node support them.
  if (!/^[A-Za-z]/.test(timezone)) return problem;
  try {
    Intl.DateTimeFormat('en-US', { timeZone: zoneName(timezone) });
    return undefined;
  } catch {
    return problem;
  }
};

/** An offset as Intl formats it: `GMT+02:00`, or `GMT` alone. */
const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** Returns the function that computes the offset of a zone. Throws a RangeError for an unknown zone. */
export const offsetIn = (timezone: string): OffsetAt => {
  const format = Intl.DateTimeFormat('en-US', { timeZone: zoneName(timezone), timeZoneName: 'longOffset' });
  return (at) => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
    const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(name ?? '') ?? [];
    const length = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -length : length;
  };
};

/** Returns when the offset that applies at `to` begins to apply. It must differ from the offset at `from`. */
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

/** Returns when a wall clock first shows `reading`; for a skipped reading, the moment of the clock change. */
export const firstShown = (reading: number, offsetAt: OffsetAt): number => {
  const [before, since] = [offsetAt(reading - DAY), offsetAt(reading + DAY)];
  const [early, late] = [reading - before, reading - since];
  if (offsetAt(early) === before) return early;
  return offsetAt(late) === since ? late : changeBetween(offsetAt, late, early);
};

/**
 * Returns the latest reading that the clock has shown until `at`. In a repeated hour, this is the end of the
 * hour.
 */
export const furthestReading = (at: number, offsetAt: OffsetAt): number => {
  const reading = at + offsetAt(at);
  const first = firstShown(reading, offsetAt);
  return first < at ? changeBetween(offsetAt, first, at) + offsetAt(first) - 1 : reading;
};
