// Values as Compose writes them, as values of a manifest.
import { constants } from 'node:os';
import type { Plain, Setting, Translation } from '../key-table.ts';
import { escapedLine } from '../../streams/views/words/foreign-text.ts';

const UNITS: Readonly<Record<string, number>> = {
  ...{ ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 },
};

/** Returns the milliseconds of `1m30s` or `1.5s`; nothing for another text. A number is seconds. */
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

/** Returns the duration as a manifest has it, in the largest unit without a fraction. */
export const durationText = (time: number): string => {
  const unit = ['h', 'm', 's'].find((name) => time > 0 && time % (UNITS[name] ?? 1) === 0) ?? 'ms';
  return `${time / (UNITS[unit] ?? 1)}${unit}`;
};

const SIZES = ['', 'k', 'm', 'g', 't'];

/** Returns the bytes of `512m` or `1.5gb`; nothing for another text. */
export const sizeBytes = (value: Plain | undefined): number | undefined => {
  if (typeof value === 'number') return value;
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(textOf(value)) ?? [];
  return count === undefined
    ? undefined
    : Math.round(Number(count) * 1024 ** SIZES.indexOf(unit.toLowerCase()));
};

/** Returns the size as a manifest has it: `512M`. */
export const sizeText = (bytes: number): string | number => {
  const power = [4, 3, 2, 1].find((each) => bytes > 0 && bytes % 1024 ** each === 0) ?? 0;
  return power === 0 ? bytes : `${bytes / 1024 ** power}${SIZES[power]?.toUpperCase()}`;
};

/** Returns the name of a signal: `SIGINT` for `2`, `INT` and `SIGINT`; nothing for one that is not known. */
export const signalName = (value: Plain): string | undefined => {
  const text = textOf(value).toUpperCase();
  const found = Object.entries(constants.signals).find(
    ([name, number]) => name === text || name === `SIG${text}` || String(number) === text,
  );
  return found?.[0];
};

/** Returns a single value as text, and another one as JSON. */
export const textOf = (value: Plain | undefined): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

/** Returns the value as a message shows it. */
export const shownValue = (value: Plain): string => {
  const text = typeof value === 'string' ? `"${value}"` : JSON.stringify(value);
  return escapedLine(text.length > 60 ? `${text.slice(0, 60)}…` : text);
};

export const isList = (value: Plain | undefined): value is readonly Plain[] => Array.isArray(value);

/** Returns the texts of a list, or of a single value. */
export const textsOf = (value: Plain | undefined): readonly string[] => {
  if (value === undefined || value === null) return [];
  return isList(value) ? value.map(textOf) : [textOf(value)];
};

export const isTrue = (value: Plain | undefined): boolean => value === true || value === 'true';

/** Returns the number that a value is, also as a text. */
export const numberOf = (value: Plain | undefined): number | undefined => {
  const isNumeric =
    typeof value === 'number' || (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value));
  return isNumeric ? Number(value) : undefined;
};

/** Returns a reader for a value that `turn` translates; what it cannot translate is lost. */
export const translated =
  (ours: string, turn: (value: Plain) => Plain | undefined, kind: string) =>
  ({ value }: Pick<Setting, 'value'>): Translation => {
    const result = turn(value);
    return result === undefined
      ? { lost: `${shownValue(value)} is not ${kind}` }
      : { keys: { [ours]: result } };
  };

/** Returns a reader for a duration, which a manifest needs to be longer than 0. */
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

/** Returns a reader for a number. */
export const numberTo = (ours: string): ((setting: Pick<Setting, 'value'>) => Translation) =>
  translated(ours, numberOf, 'a number');
