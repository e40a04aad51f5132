// Lengths of time on the command line: `30s`, `15m`, `2h`, `1d`; a bare number is seconds, as in a manifest.
import { ms, type Ms } from '../../streams/domain/time.ts';
import { usageError } from './usage.ts';

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 60e3, h: 3_600e3, d: 86_400e3 };
const WRITTEN = /^(\d{1,6})(ms|s|m|h|d)?$/;

/** Returns the length of time. Throws a usage error if it is none. */
export const lengthArgument = (option: string, written: string): Ms => {
  const [, amount, unit = 's'] = WRITTEN.exec(written) ?? [];
  const length = Number(amount ?? 0) * (UNIT_MS[unit] ?? 0);
  if (length === 0) throw usageError(`${option}: "${written}" is not a length of time`, `${option} 15m`);
  return ms(length);
};
