// How services went lately: what each used, second by second, and little pictures of that.
import type { ServiceDocument } from '../../../streams/wire/documents/documents.ts';

/** `undefined` where nobody knows. */
type Amounts = readonly (number | undefined)[];

/** Oldest first. */
export interface Trend {
  readonly cpu: Amounts;
  readonly memory: Amounts;
}

/** By `project/service`. */
export type Trends = ReadonlyMap<string, Trend>;

const MOST = 240;

const longer = (amounts: Amounts, amount: number | null): Amounts => [
  ...amounts.slice(1 - MOST),
  amount ?? undefined,
];

/** Another second has passed. Who is gone has no trend. */
export const later = (trends: Trends, services: ReadonlyMap<string, ServiceDocument>): Trends =>
  new Map(
    [...services].map(([id, { cpu_percent: cpu, rss_bytes: memory }]) => {
      const before = trends.get(id);
      return [id, { cpu: longer(before?.cpu ?? [], cpu), memory: longer(before?.memory ?? [], memory) }];
    }),
  );

const BARS = '▁▂▃▄▅▆▇█';

/** The last `width` amounts as bars between nothing and the most of them, which is `least` or more. */
export const sparkline = (amounts: Amounts, width: number, least: number): string => {
  const shown = amounts.slice(-width);
  const most = shown.reduce<number>((high, amount) => Math.max(high, amount ?? 0), least);
  const bar = (amount: number | undefined): string =>
    amount === undefined
      ? ' '
      : (BARS[Math.min(BARS.length - 1, Math.floor((amount / most) * BARS.length))] ?? '');
  return shown.map(bar).join('').padStart(width);
};
