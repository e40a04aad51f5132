// Parses `--max-age` and `--max-size` of `sup logs --prune`.
import { usageError } from '../../grammar/usage.ts';
import { lengthArgument } from '../../grammar/length.ts';
import { valueOf, type Parsed } from '../../grammar/parsed.ts';
import type { PruneLimits } from './pruned.ts';

const POWERS: Readonly<Record<string, number>> = { '': 0, K: 1, M: 2, G: 3, T: 4 };
const SIZE = /^(\d{1,12})([KMGT]?)(?:i?B)?$/i;

const sizeArgument = (option: string, written: string): number => {
  const [, amount, unit = ''] = SIZE.exec(written) ?? [];
  if (amount === undefined) throw usageError(`${option}: "${written}" is not a size`, `${option} 500M`);
  return Number(amount) * 1024 ** (POWERS[unit.toUpperCase()] ?? 0);
};

/** Throws a usage error if neither is given. */
export const pruneArguments = (parsed: Parsed): PruneLimits => {
  const [age, size] = [valueOf(parsed, 'max-age'), valueOf(parsed, 'max-size')];
  if (age === undefined && size === undefined)
    throw usageError('--prune needs to know what is too much', 'sup logs --prune --max-age 7d --max-size 1G');
  return {
    ...(age === undefined ? {} : { maxAge: lengthArgument('--max-age', age) }),
    ...(size === undefined ? {} : { maxBytes: sizeArgument('--max-size', size) }),
  };
};
