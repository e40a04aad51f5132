// `stop_signal`: the name of a signal, with or without SIG, as this machine knows it.
import { constants } from 'node:os';
import { didYouMean } from '../../../streams/views/nearest.ts';
import type { Decoder } from '../shapes/decoder.ts';
import { orReference, read, refused, scalar } from './scalar.ts';

const SIGNALS = Object.keys(constants.signals);

/** As `SIGxxx`. */
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
