// `skip`: true, or a command whose success skips the service.
import type { Decoder } from '../shapes/decoder.ts';
import { oldWordHint } from '../scalars/number.ts';
import { read, refused, scalar } from '../scalars/scalar.ts';

/** `yes`, `no`, `on`, `off` in any case: JSON Schema patterns have no flag for that. */
const OLD_WORD = '^([yY][eE][sS]|[nN][oO]|[oO][nN]|[oO][fF][fF])$';

const isCommand = (text: string): boolean => text.trim() !== '' && !text.includes('\0');

export const skip: Decoder<boolean | string> = scalar<boolean | string>({
  label: 'bool or command',
  schema: { anyOf: [{ type: 'boolean' }, { type: 'string', minLength: 1, not: { pattern: OLD_WORD } }] },
  read: ({ kind, text }) => {
    const hint = kind === 'number' ? undefined : oldWordHint(text);
    if (hint !== undefined) return refused('is neither true nor false, nor a command', hint);
    if (kind === 'flag' || (kind === 'expanded' && /^(true|false)$/i.test(text)))
      return read(text.toLowerCase() === 'true');
    return kind !== 'number' && isCommand(text)
      ? read(text)
      : refused('is neither true, false nor a command');
  },
});
