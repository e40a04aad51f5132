// What `-n`, `--since` and `--until` mean, for every command that looks back.
import { usageError } from '../../grammar/usage.ts';
import { valueOf, type Parsed } from '../../grammar/parsed.ts';
import { momentOf } from '../../../sources/logs/wanted.ts';

/** The moment, as log lines carry it. Throws a usage error for what is none. */
export const momentArgument = (option: string, written: string): string => {
  const at = momentOf(written, new Date());
  if (at !== undefined) return at;
  const hint = 'for example: 10m, 2h, today, 22:40, 2026-11-21T05:30:00Z';
  throw usageError(`${option} "${written}" is neither a length of time nor a date`, hint);
};

/** How many of the last are shown, unless a stretch of time was asked for. */
const LAST = 100;

/** `-n`, or all of the stretch of time that was asked for; throws a usage error for what is no whole number. */
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

/** All of a millisecond, which is what lines are shown with. */
const throughout = (moment: string): string => moment.replace(/000Z$/, '999Z');

/** `--since` and `--until`, as log lines carry moments. */
export const stretchArgument = (parsed: Parsed): Stretch => {
  const [since, until] = [valueOf(parsed, 'since'), valueOf(parsed, 'until')];
  return {
    ...(since === undefined ? {} : { since: momentArgument('--since', since) }),
    ...(until === undefined ? {} : { until: throughout(momentArgument('--until', until)) }),
  };
};
