// Time zones as offsets: `local` is the zone of this machine, `utc` and IANA names are what they say. A reading is what
// a clock on the wall shows, in milliseconds, as if it were UTC. Clocks are taken to change at most once in two days.

const DAY = 24 * 3600 * 1000;

/** The zone's offset at a moment: local reading minus UTC, in milliseconds. Moments are milliseconds since the epoch. */
export type OffsetAt = (at: number) => number;

/** The name that the runtime knows the zone by; `undefined` is the zone of this machine. */
const zoneName = (timezone: string): string | undefined => {
  if (timezone === 'local') return undefined;
  return timezone === 'utc' ? 'UTC' : timezone;
};

/** Why this is not a time zone; `undefined` when it is one. */
export const zoneProblem = (timezone: string): string | undefined => {
  const problem = `"${timezone}" is not an IANA time zone, utc or local`;
  // Some runtimes know offsets such as +02:00, others do not.
  if (!/^[A-Za-z]/.test(timezone)) return problem;
  try {
    Intl.DateTimeFormat('en-US', { timeZone: zoneName(timezone) });
    return undefined;
  } catch {
    return problem;
  }
};

/** `GMT+02:00`, or `GMT` alone. */
const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** Throws a RangeError for what `zoneProblem` finds fault with. */
export const offsetIn = (timezone: string): OffsetAt => {
  const format = Intl.DateTimeFormat('en-US', { timeZone: zoneName(timezone), timeZoneName: 'longOffset' });
  return (at) => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
    const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(name ?? '') ?? [];
    const length = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -length : length;
  };
};

/** The first moment of the offset that holds at `to`, when another one held at `from`. */
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

/** When a clock first shows `reading` or, if it never does, jumps over it. */
export const firstShown = (reading: number, offsetAt: OffsetAt): number => {
  const [before, since] = [offsetAt(reading - DAY), offsetAt(reading + DAY)];
  const [early, late] = [reading - before, reading - since];
  if (offsetAt(early) === before) return early;
  return offsetAt(late) === since ? late : changeBetween(offsetAt, late, early);
};

/** The furthest that a clock has got by `at`: while it shows an hour for the second time, the end of that hour. */
export const furthestReading = (at: number, offsetAt: OffsetAt): number => {
  const reading = at + offsetAt(at);
  const first = firstShown(reading, offsetAt);
  return first < at ? changeBetween(offsetAt, first, at) + offsetAt(first) - 1 : reading;
};
