// System calls by name. A name that only another architecture has is accepted.
import { CALL_NAMES } from '../../../streams/launch/seccomp/calls.ts';
import { didYouMean } from '../../../streams/views/nearest.ts';
import type { Decoder } from '../shapes/decoder.ts';
import { orReference, read, refused, scalar, type Reading } from './scalar.ts';

const named = (text: string): Reading<string> =>
  CALL_NAMES.includes(text) ? read(text) : refused('is not a system call', didYouMean(text, CALL_NAMES));

const call = (reading: (text: string) => Reading<string>): Decoder<string> =>
  scalar({
    label: 'system call',
    schema: orReference({ type: 'string', pattern: '^[a-z_][a-z0-9_]*$' }),
    read: ({ text }) => reading(text),
  });

export const syscall: Decoder<string> = call(named);

/** Every system call except the one that starts the service. */
export const deniableSyscall: Decoder<string> = call((text) =>
  text === 'execve' ? refused('is what the service itself is begun with') : named(text),
);
