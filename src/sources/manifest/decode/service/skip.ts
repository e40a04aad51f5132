// `skip`: true, or a command whose success skips the service.
import type { Decoder } from '../shapes/decoder.ts';
import { read, refused, scalar } from '../scalars/scalar.ts';

export const skip: Decoder<boolean | string> = scalar<boolean | string>({
  label: 'bool or command',
  schema: { anyOf: [{ type: 'boolean' }, { type: 'string', minLength: 1 }] },
  read: ({ kind, text }) => {
    if (kind === 'flag' || (kind === 'expanded' && /^(true|false)$/i.test(text)))
      return read(text.toLowerCase() === 'true');
    return kind !== 'number' && text.trim() !== '' && !text.includes('\0')
      ? read(text)
      : refused('is neither true, false nor a command');
  },
});
