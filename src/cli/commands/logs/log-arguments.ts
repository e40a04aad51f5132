// Parses `-n`, `--since`, `--until`, and the limits of `sup logs --prune`.
import type { LogLimits } from '../../../sinks/logs/file/log-limits.ts';
import { lengthArgument } from '../../grammar/argument-values.ts';
import { type Parsed, valueOf } from '../../grammar/parsed-line.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { momentOf } from '../../../sources/logs/line-filter.ts';

/** Returns the moment in the format of log lines. Throws a usage error if it is invalid. */
const momentArgument = (option: string, written: string): string => {
  const at = momentOf(written, new Date());
  if (at !== undefined) return at;
  const hint = 'for example: 10m, 2h, today, 22:40, 2026-11-21T05:30:00Z';
  throw usageError(`${option} "${written}" is neither a length of time nor a date`, hint);
};

/** Number of last lines that are shown if neither a number nor a time range is given. */
const LAST = 100;

/**
 * Returns the number of lines to print. Without `-n` it is `Infinity` for a time range, otherwise 100. Throws
 * a usage error if the value of `-n` is invalid.
 */
export const linesArgument = (parsed: Parsed): number => {
  const written = valueOf(parsed, 'lines');
  const { since, until } = parsed.values;
  if (written === undefined) return since === undefined && until === undefined ? LAST : Infinity;
  if (!/^\d{1,9}$/.test(written))
    throw usageError(`--lines "${written}" is not a whole number`, 'for example: -n 50');
  return Number(written);
};

interface Stretch {
  readonly since?: string;
  readonly until?: string;
}

/** Moves a time to the end of its millisecond, for `--until`, because log lines have microseconds. */
const throughout = (moment: string): string => moment.replace(/000Z$/, '999Z');

/** Returns a time range in the format of log lines. Throws a usage error if a time is invalid. */
export const stretchOf = ({ since, until }: { [end in keyof Stretch]?: string | undefined }): Stretch => ({
  ...(since === undefined ? {} : { since: momentArgument('--since', since) }),
  ...(until === undefined ? {} : { until: throughout(momentArgument('--until', until)) }),
});

/** Returns `--since` and `--until` in the format of log lines. Throws a usage error if a time is invalid. */
export const stretchArgument = (parsed: Parsed): Stretch =>
  stretchOf({ since: valueOf(parsed, 'since'), until: valueOf(parsed, 'until') });

const POWERS: Readonly<Record<string, number>> = { '': 0, K: 1, M: 2, G: 3, T: 4 };
const SIZE = /^(\d{1,12})([KMGT]?)(?:i?B)?$/i;

const sizeArgument = (option: string, written: string): number => {
  const [, amount, unit = ''] = SIZE.exec(written) ?? [];
  if (amount === undefined) throw usageError(`${option}: "${written}" is not a size`, `${option} 500M`);
  return Number(amount) * 1024 ** (POWERS[unit.toUpperCase()] ?? 0);
};

/** Returns `--max-age` and `--max-size`. Throws a usage error if neither is given. */
export const pruneArguments = (parsed: Parsed): LogLimits => {
  const [age, size] = [valueOf(parsed, 'max-age'), valueOf(parsed, 'max-size')];
  if (age === undefined && size === undefined)
    throw usageError('--prune needs to know what is too much', 'sup logs --prune --max-age 7d --max-size 1G');
  return {
    ...(age === undefined ? {} : { maxAge: lengthArgument('--max-age', age) }),
    ...(size === undefined ? {} : { maxBytes: sizeArgument('--max-size', size) }),
  };
};
