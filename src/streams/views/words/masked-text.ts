// Masks secrets: values of environment variables, and secrets in command lines and addresses. A plan, a
// shared terminal and a pipeline's log keep what they were shown.
import type { ChangedKey, Plan } from '../../domain/apply-plan.ts';

const MASK = '***';

/** `https://user:password@host`: the password is from the first colon to the last `@` before a slash. */
const URL_PASSWORD = /(:\/\/[^\s/:@"']*:)[^\s/"']+(?=@)/g;

/** `--password value` or `--api-key=value`; the value may be quoted. */
const SECRET_OPTION =
  /((?<![\w-])--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api-?key)(?:=|\s+))("[^"]*"|'[^']*'|[^\s"']+)/gi;

/** `"--password", "value"` in a list of words. */
const SECRET_ITEM =
  /("--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api-?key)"\s*,\s*")(?:[^"\\]|\\.)*/gi;

/** A command line or address without passwords in addresses and values of options like `--password`. */
export const maskedText = (text: string): string =>
  text
    .replace(URL_PASSWORD, `$1${MASK}`)
    .replace(SECRET_OPTION, `$1${MASK}`)
    .replace(SECRET_ITEM, `$1${MASK}`);

const SECRET_NAME = /^--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api-?key)$/i;

/** The same for a list of words. */
export const maskedWords = (words: readonly string[]): readonly string[] =>
  words.map((word, index) => (SECRET_NAME.test(words[index - 1] ?? '') ? MASK : maskedText(word)));

/** Masks the whole value of a variable. */
const maskedValue = (key: string, value: string): string =>
  key.startsWith('env.vars.') ? MASK : maskedText(value);

const maskedKey = ({ key, from, to, ...rest }: ChangedKey): ChangedKey => ({
  key,
  ...rest,
  ...(from !== undefined && { from: maskedValue(key, from) }),
  ...(to !== undefined && { to: maskedValue(key, to) }),
});

/** The same plan without values that must not be shown. Changed keys stay visible. */
export const maskedPlan = ({ changes, ...plan }: Plan): Plan => ({
  ...plan,
  changes: changes.map((change) => ({ ...change, keys: change.keys.map(maskedKey) })),
});
