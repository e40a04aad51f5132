// The recent usage of services, second by second, and small charts of it.
import type { Bucket } from '../../streams/metrics/bucket.ts';
import type { ServiceDocument } from '../../streams/wire/documents/documents.ts';
import type { SamplesAnswer } from '../../streams/wire/protocol.ts';

/** `undefined` if the amount is not known. */
type Amounts = readonly (number | undefined)[];

/** Oldest first. */
export interface Trend {
  readonly cpu: Amounts;
  readonly memory: Amounts;
}

/** Keyed by `project/service`. */
export type Trends = ReadonlyMap<string, Trend>;

const MOST = 240;
const SECOND_MS = 1_000;
/** A sample older than this says nothing about a second. */
const HOLDS_MS = 10_000;

/** How far back the trends reach. */
export const TREND_MS = MOST * SECOND_MS;

const longer = (amounts: Amounts, amount: number | null): Amounts => [
  ...amounts.slice(1 - MOST),
  amount ?? undefined,
];

/** Adds a second to each trend; removed services have none. */
export const later = (trends: Trends, services: ReadonlyMap<string, ServiceDocument>): Trends =>
  new Map(
    [...services].map(([id, { cpu_percent: cpu, rss_bytes: memory }]) => {
      const before = trends.get(id);
      return [id, { cpu: longer(before?.cpu ?? [], cpu), memory: longer(before?.memory ?? [], memory) }];
    }),
  );

/** Returns the mean of the samples in the second that begins at `from`. */
const meanAt = (points: readonly Bucket[], which: 'cpu' | 'rss', from: number): number | undefined => {
  const found = points.findLast(({ from: first }) => first < from + SECOND_MS);
  if (found === undefined || found[which].count === 0) return undefined;
  // The last sample holds until the next one.
  return from - found.to > HOLDS_MS ? undefined : found[which].sum / found[which].count;
};

/** Puts what was sampled before the view began in front of what it has seen itself. */
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

const BARS = '▁▂▃▄▅▆▇█';

/** Draws the last `width` amounts as bars from zero to their maximum, which is at least `least`. */
export const sparkline = (amounts: Amounts, width: number, least: number): string => {
  const shown = amounts.slice(-width);
  const most = shown.reduce<number>((high, amount) => Math.max(high, amount ?? 0), least);
  const bar = (amount: number | undefined): string =>
    amount === undefined
      ? ' '
      : (BARS[Math.min(BARS.length - 1, Math.floor((amount / most) * BARS.length))] ?? '');
  return shown.map(bar).join('').padStart(width);
};
