// Reads durations and sizes of Compose.
import type { Plain, Setting, Translation } from '../key-table.ts';
import { durationText, sizeText } from '../manifest-text.ts';
import { textOf, translated } from '../source-values.ts';

const UNITS: Readonly<Record<string, number>> = {
  ...{ ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 },
};

/** Returns a duration such as `1m30s` or `1.5s` in ms; `undefined` for other text. A number is in seconds. */
export const durationMs = (value: Plain | undefined): number | undefined => {
  if (typeof value === 'number') return value >= 0 ? value * 1000 : undefined;
  if (typeof value !== 'string') return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(value)) return undefined;
  const times = value.split(/(?<=[a-zµ])(?=\d)/).map((part) => {
    const unit = part.replace(/^[\d.]+/, '');
    return Number(part.slice(0, -unit.length)) * (UNITS[unit] ?? 0);
  });
  return Math.round(times.reduce((sum, time) => sum + time, 0));
};

const SIZES = ['', 'k', 'm', 'g', 't'];

/** Returns a size such as `512m` or `1.5gb` in bytes; `undefined` for other text. */
export const sizeBytes = (value: Plain | undefined): number | undefined => {
  if (typeof value === 'number') return value;
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(textOf(value)) ?? [];
  return count === undefined
    ? undefined
    : Math.round(Number(count) * 1024 ** SIZES.indexOf(unit.toLowerCase()));
};

/** Returns a reader for a duration. It writes 1 ms instead of 0, which a manifest refuses. */
export const durationTo = (ours: string): ((setting: Pick<Setting, 'value'>) => Translation) =>
  translated(
    ours,
    (value) => {
      const time = durationMs(value);
      return time === undefined ? undefined : durationText(Math.max(1, time));
    },
    'a duration',
  );

/** Returns a reader for a size in bytes. */
export const sizeTo = (ours: string): ((setting: Pick<Setting, 'value'>) => Translation) =>
  translated(
    ours,
    (value) => {
      const bytes = sizeBytes(value);
      return bytes === undefined ? undefined : sizeText(bytes);
    },
    'a size',
  );
