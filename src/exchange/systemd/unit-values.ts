// Reads time spans, sizes and booleans of unit files (systemd.time(7)).

const MONTH_MS = 2_629_800_000;

/** The length of each unit in ms. `M` is a month, `m` a minute. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ us: 0.001, usec: 0.001, µs: 0.001, μs: 0.001, ms: 1, msec: 1 },
  ...{ '': 1000, s: 1000, sec: 1000, second: 1000, seconds: 1000 },
  ...{ m: 60_000, min: 60_000, minute: 60_000, minutes: 60_000 },
  ...{ h: 3_600_000, hr: 3_600_000, hour: 3_600_000, hours: 3_600_000 },
  ...{
    d: 86_400_000,
    day: 86_400_000,
    days: 86_400_000,
    w: 604_800_000,
    week: 604_800_000,
    weeks: 604_800_000,
  },
  ...{
    M: MONTH_MS,
    month: MONTH_MS,
    months: MONTH_MS,
    y: 12 * MONTH_MS,
    year: 12 * MONTH_MS,
    years: 12 * MONTH_MS,
  },
};

/** Returns a time span in ms; `Infinity` for `infinity`, and `undefined` for a text that is no time span. */
export const spanOf = (text: string): number | undefined => {
  if (text.trim() === 'infinity') return Number.POSITIVE_INFINITY;
  const parts = text.trim().split(/(?<=[a-zA-Zµμ])\s*(?=[\d.])|(?<=\d)\s+(?=[\d.])/);
  const lengths = parts.map((part) => {
    const [, count, name = ''] = /^(\d+(?:\.\d*)?|\.\d+)\s*([a-zA-Zµμ]*)$/.exec(part) ?? [];
    return Number(count) * (UNITS[name] ?? Number.NaN);
  });
  const sum = lengths.reduce((one, other) => one + other, 0);
  return Number.isNaN(sum) ? undefined : Math.ceil(sum);
};

/** Returns a time in ms as a time span of a unit file. */
export const spanText = (length: number): string => {
  if (length >= 1_000_000_000_000_000) return 'infinity';
  return length % 1000 === 0 ? `${length / 1000}s` : `${length}ms`;
};

/** Returns a size in bytes, `Infinity` for `infinity`, `undefined` for a percentage and other text. */
export const bytesOf = (text: string): number | undefined => {
  if (text === 'infinity') return Number.POSITIVE_INFINITY;
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([KMGTPE]?)B?$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const bytes = Math.floor(Number(digits) * 1024 ** ' KMGTPE'.indexOf(unit === '' ? ' ' : unit));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
};

/** True for a word that systemd reads as true. */
export const isYes = (text: string | undefined): boolean => /^(?:1|yes|y|true|t|on)$/i.test(text ?? '');

/** True for a word that systemd reads as false. */
export const isNo = (text: string): boolean => /^(?:0|no|n|false|f|off)$/i.test(text);
