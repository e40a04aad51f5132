// Values that must not be shown: those of environment variables, and what a command line or an address holds of a secret.
// A plan, a terminal that others see and a log of a pipeline keep what they were once shown.
import type { ChangedKey, Plan } from '../../domain/plan.ts';

const MASK = '***';

/** `https://user:password@host`: the password is from the first colon to the last `@` before a slash. */
const URL_PASSWORD = /(:\/\/[^\s/:@"']*:)[^\s/"']+(?=@)/g;

/** An option that is named like `--password` or `--api-key`, with its value in the same word, the next word or the next list item. */
const SECRET_OPTION =
  /((?<![\w-])--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api-?key)(?:=|\s+|"\s*,\s*"))("[^"]*"|'[^']*'|(?<=",\s*")(?:[^"\\]|\\.)*|[^\s"']+)/gi;

/** A command line or an address without passwords in addresses and values of options that are named like `--password`. */
export const maskedText = (text: string): string =>
  text.replace(URL_PASSWORD, `$1${MASK}`).replace(SECRET_OPTION, `$1${MASK}`);

const SECRET_NAME = /^--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api-?key)$/i;

/** The same of a list of words. */
export const maskedWords = (words: readonly string[]): readonly string[] =>
  words.map((word, index) => (SECRET_NAME.test(words[index - 1] ?? '') ? MASK : maskedText(word)));

/** The value of a variable is not shown at all. */
const maskedValue = (key: string, value: string): string =>
  key.startsWith('env.vars.') ? MASK : maskedText(value);

const maskedKey = ({ key, from, to, ...rest }: ChangedKey): ChangedKey => ({
  key,
  ...rest,
  ...(from !== undefined && { from: maskedValue(key, from) }),
  ...(to !== undefined && { to: maskedValue(key, to) }),
});

/** The same plan without values that must not be shown. Which keys have changed stays visible. */
export const maskedPlan = ({ changes, ...plan }: Plan): Plan => ({
  ...plan,
  changes: changes.map((change) => ({ ...change, keys: change.keys.map(maskedKey) })),
});
