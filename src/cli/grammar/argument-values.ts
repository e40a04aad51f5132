// Parses values of options: a length of time (`30s`, `15m`, `2h`, `1d`, plain seconds), and a signal (number
// or name, in any case, with or without SIG).
import { constants } from 'node:os';
import { usageError } from './usage-error.ts';
import { ms, type Ms } from '../../streams/domain/time.ts';
import { didYouMean } from '../../streams/views/nearest.ts';

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 60e3, h: 3_600e3, d: 86_400e3 };
const WRITTEN = /^(\d{1,6})(ms|s|m|h|d)?$/;

/** Returns the length of time. Throws a usage error for any other text, and for 0. */
export const lengthArgument = (option: string, written: string): Ms => {
  const [, amount, unit = 's'] = WRITTEN.exec(written) ?? [];
  const length = Number(amount ?? 0) * (UNIT_MS[unit] ?? 0);
  if (length === 0) throw usageError(`${option}: "${written}" is not a length of time`, `${option} 15m`);
  return ms(length);
};

/**
 * Returns the numbers of signals by name. It is a function and not a constant, because every command loads
 * this file, but few commands need the numbers.
 */
const signals = (): ReadonlyMap<string, number> => new Map(Object.entries(constants.signals));

/** Returns the signal as `SIGxxx`; `undefined` if the text names none. */
const known = (written: string): string | undefined => {
  const upper = written.toUpperCase();
  const name = upper.startsWith('SIG') ? upper : `SIG${upper}`;
  return signals().has(name) ? name : [...signals()].find(([, number]) => String(number) === written)?.[0];
};

export const isSignal = (written: string): boolean => known(written) !== undefined;

const withoutPrefix = (name: string): string => name.toUpperCase().replace(/^SIG/, '');

/** Returns the signal as `SIGxxx`. Throws a usage error that suggests the most similar name. */
export const signalNamed = (written: string): string => {
  const name = known(written);
  if (name !== undefined) return name;
  const near = didYouMean(withoutPrefix(written), [...signals().keys()].map(withoutPrefix));
  throw usageError(`"${written}" is not the name of a signal`, near ?? 'sup kill -s HUP <service>');
};
