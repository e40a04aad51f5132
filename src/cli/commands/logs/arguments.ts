// Parses `-n`, `--since` and `--until` for every command that shows the past.
import { usageError } from '../../grammar/usage.ts';
import { valueOf, type Parsed } from '../../grammar/parsed.ts';
import { momentOf } from '../../../sources/logs/line-filter.ts';

/** The moment in the format of log lines. Throws a usage error if it is invalid. */
export const momentArgument = (option: string, written: string): string => {
  const at = momentOf(written, new Date());
  if (at !== undefined) return at;
  const hint = 'for example: 10m, 2h, today, 22:40, 2026-11-21T05:30:00Z';
  throw usageError(`${option} "${written}" is neither a length of time nor a date`, hint);
};

/** Default number of lines if no time range is given. */
const LAST = 100;

/** `-n`; without it, all lines of a time range. Throws a usage error if it is no whole number. */
export const linesArgument = (parsed: Parsed): number => {
  const written = valueOf(parsed, 'lines');
  const { since, until } = parsed.values;
  if (written === undefined) return since === undefined && until === undefined ? LAST : Infinity;
  if (!/^\d{1,9}$/.test(written))
    throw usageError(`--lines "${written}" is not a whole number`, 'for example: -n 50');
  return Number(written);
};

export interface Stretch {
  readonly since?: string;
  readonly until?: string;
}

/** Includes the whole millisecond, since lines show no less. */
const throughout = (moment: string): string => moment.replace(/000Z$/, '999Z');

/** `--since` and `--until` in the format of log lines. */
export const stretchArgument = (parsed: Parsed): Stretch => {
  const [since, until] = [valueOf(parsed, 'since'), valueOf(parsed, 'until')];
  return {
    ...(since === undefined ? {} : { since: momentArgument('--since', since) }),
    ...(until === undefined ? {} : { until: throughout(momentArgument('--until', until)) }),
  };
};
