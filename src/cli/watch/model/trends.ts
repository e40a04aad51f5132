// The CPU and memory use of services in the last minutes, with one value per second, and small charts of
// these values.
import type { Bucket } from '../../../streams/metrics/bucket.ts';
import type { ServiceDocument } from '../../../streams/wire/documents/documents.ts';
import type { SamplesAnswer } from '../../../streams/wire/protocol.ts';

/** One value per second; `undefined` for a second with unknown use. */
type Amounts = readonly (number | undefined)[];

/** The recent use of one service, oldest value first. */
export interface Trend {
  readonly cpu: Amounts;
  readonly memory: Amounts;
}

/** Trends of services, by id in the form `project/service`. */
export type Trends = ReadonlyMap<string, Trend>;

const MOST = 240;
const SECOND_MS = 1_000;
/** How long after its end the value of a sample is used if no newer sample follows, ms. */
const HOLDS_MS = 10_000;

/** The time span of the charts, ms. */
export const TREND_MS = MOST * SECOND_MS;

const longer = (amounts: Amounts, amount: number | null): Amounts => [
  ...amounts.slice(1 - MOST),
  amount ?? undefined,
];

/** Adds one second to each trend. Services that were removed are dropped. */
export const later = (trends: Trends, services: ReadonlyMap<string, ServiceDocument>): Trends =>
  new Map(
    [...services].map(([id, { cpu_percent: cpu, rss_bytes: memory }]) => {
      const before = trends.get(id);
      return [id, { cpu: longer(before?.cpu ?? [], cpu), memory: longer(before?.memory ?? [], memory) }];
    }),
  );

/** Returns the mean of the last sample that begins before the end of the second at `from`. */
const meanAt = (points: readonly Bucket[], which: 'cpu' | 'rss', from: number): number | undefined => {
  const found = points.findLast(({ from: first }) => first < from + SECOND_MS);
  if (found === undefined || found[which].count === 0) return undefined;
  // The value of a sample is used until the next sample begins, but at most for `HOLDS_MS` after its end.
  return from - found.to > HOLDS_MS ? undefined : found[which].sum / found[which].count;
};

/** Puts values from the supervisor's samples before the values that the live view has collected itself. */
export const earlier = (trends: Trends, { now, services }: SamplesAnswer): Trends => {
  const began = new Map(
    services.map(({ id, points }) => {
      const first = Math.max(points[0]?.from ?? now, now - MOST * SECOND_MS);
      const length = Math.max(0, Math.floor((now - first) / SECOND_MS));
      const seconds = Array.from({ length }, (_, at) => now - (length - at) * SECOND_MS);
      const amounts = (which: 'cpu' | 'rss'): Amounts => seconds.map((from) => meanAt(points, which, from));
      return [String(id), { cpu: amounts('cpu'), memory: amounts('rss') }] as const;
    }),
  );
  const both = (before: Amounts = [], since: Amounts = []): Amounts => [...before, ...since].slice(-MOST);
  return new Map(
    [...new Set([...began.keys(), ...trends.keys()])].map((id) => {
      const [before, since] = [began.get(id), trends.get(id)];
      return [id, { cpu: both(before?.cpu, since?.cpu), memory: both(before?.memory, since?.memory) }];
    }),
  );
};

const sumOf = (all: readonly Amounts[]): Amounts =>
  Array.from({ length: Math.max(0, ...all.map(({ length }) => length)) }, (_, ago) => {
    const known = all.flatMap((amounts) => amounts.at(-1 - ago) ?? []);
    return known.length === 0 ? undefined : known.reduce((sum, amount) => sum + amount, 0);
  }).toReversed();

/**
 * Returns the total use of several services. Services with unknown use in a second are not included in the
 * value of this second.
 */
export const sumOfTrends = (trends: readonly Trend[]): Trend => {
  const [first] = trends;
  if (first !== undefined && trends.length === 1) return first;
  return { cpu: sumOf(trends.map(({ cpu }) => cpu)), memory: sumOf(trends.map(({ memory }) => memory)) };
};

const BARS = '▁▂▃▄▅▆▇█';

/**
 * Returns the last `width` values as a text of bars. The highest bar stands for the maximum of the values, or
 * for `least` if that is higher.
 */
export const sparkline = (amounts: Amounts, width: number, least: number): string => {
  const shown = amounts.slice(-width);
  const most = shown.reduce<number>((high, amount) => Math.max(high, amount ?? 0), least);
  const bar = (amount: number | undefined): string =>
    amount === undefined
      ? ' '
      : (BARS[Math.min(BARS.length - 1, Math.floor((amount / most) * BARS.length))] ?? '');
  return shown.map(bar).join('').padStart(width);
};
