// A file mode creation mask (umask(2)), in octal digits. YAML reads 0027 without quotes as the decimal number
// 27, so the quotes are required.
import { orReference, read, refused, scalar } from './scalar.ts';

const LABEL = 'octal mask';
const FORM = /^0?[0-7]{3}$/;
const OWNER = 0o700;

/** Decodes to four octal digits. */
export const umask = scalar<string>({
  label: LABEL,
  schema: orReference({ type: 'string', pattern: '^0?0[0-7]{2}$' }),
  read: ({ kind, text }) => {
    if (kind === 'number') return refused(`is not an ${LABEL}`, `put the octal digits in quotes: "0027"`);
    if (!FORM.test(text)) return refused(`is not an ${LABEL} of three or four digits, such as "0027"`);
    if ((Number.parseInt(text, 8) & OWNER) !== 0)
      return refused('takes rights from the owner of a file, who is the service itself');
    return read(text.padStart(4, '0'));
  },
});
