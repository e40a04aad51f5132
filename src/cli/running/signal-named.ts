// The signal that somebody means: its name with or without SIG, in any case, or its number.
import { constants } from 'node:os';
import { didYouMean } from '../../streams/views/nearest.ts';
import { usageError } from '../grammar/usage.ts';

const SIGNALS: ReadonlyMap<string, number> = new Map(Object.entries(constants.signals));

/** As `SIGxxx`. Throws a usage error that names the nearest. */
export const signalNamed = (written: string): string => {
  const upper = written.toUpperCase();
  const name = upper.startsWith('SIG') ? upper : `SIG${upper}`;
  if (SIGNALS.has(name)) return name;
  const byNumber = [...SIGNALS].find(([, number]) => String(number) === written)?.[0];
  if (byNumber !== undefined) return byNumber;
  const hint = didYouMean(name, [...SIGNALS.keys()]) ?? 'for example: -s HUP';
  throw usageError(`"${written}" is not the name of a signal`, hint);
};
