// Parses a signal: its name with or without SIG, in any case, or its number.
import { constants } from 'node:os';
import { didYouMean } from '../../streams/views/nearest.ts';
import { usageError } from './usage.ts';

const SIGNALS: ReadonlyMap<string, number> = new Map(Object.entries(constants.signals));

/** `SIGxxx`; `undefined` if it is none. */
const known = (written: string): string | undefined => {
  const upper = written.toUpperCase();
  const name = upper.startsWith('SIG') ? upper : `SIG${upper}`;
  return SIGNALS.has(name) ? name : [...SIGNALS].find(([, number]) => String(number) === written)?.[0];
};

export const isSignal = (written: string): boolean => known(written) !== undefined;

const withoutPrefix = (name: string): string => name.toUpperCase().replace(/^SIG/, '');

/** `SIGxxx`. Throws a usage error that suggests the nearest. */
export const signalNamed = (written: string): string => {
  const name = known(written);
  if (name !== undefined) return name;
  const near = didYouMean(withoutPrefix(written), [...SIGNALS.keys()].map(withoutPrefix));
  throw usageError(`"${written}" is not the name of a signal`, near ?? 'sup kill -s HUP <service>');
};
