// A signal by name, with or without SIG, as known to this machine.
import { constants } from 'node:os';
import { didYouMean } from '../../../streams/views/nearest.ts';
import type { Decoder } from '../shapes/decoder.ts';
import { orReference, read, refused, scalar } from './scalar.ts';

const SIGNALS = Object.keys(constants.signals);

/** Decodes to the form `SIGxxx`. */
export const signal: Decoder<string> = scalar({
  label: 'signal',
  schema: orReference({
    type: 'string',
    pattern: `^(SIG)?(${SIGNALS.map((name) => name.slice(3)).join('|')})$`,
  }),
  read: ({ text }) => {
    const name = text.startsWith('SIG') ? text : `SIG${text}`;
    return SIGNALS.includes(name)
      ? read(name)
      : refused('is not the name of a signal', didYouMean(name, SIGNALS));
  },
});
