// Masks secrets in variables, command lines and addresses, which would be readable in a plan, on a shared
// terminal or in the log of a pipeline.
import type { ChangedKey, Plan } from '../../domain/apply-plan.ts';

const MASK = '***';

/** The password in `https://user:password@host`: from the first colon to the last `@` before a slash. */
const URL_PASSWORD = /(:\/\/[^\s/:@"']*:)[^\s/"']+(?=@)/g;

/** The value in `--password value` or `--api-key=value`, also in quotes. */
const SECRET_OPTION =
  /((?<![\w-])--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api-?key)(?:=|\s+))("[^"]*"|'[^']*'|[^\s"']+)/gi;

/** The value in `"--password", "value"`, as in a list of words. */
const SECRET_ITEM =
  /("--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api-?key)"\s*,\s*")(?:[^"\\]|\\.)*/gi;

/** Returns the text with passwords in addresses and values of options like `--password` masked. */
export const maskedText = (text: string): string =>
  text
    .replace(URL_PASSWORD, `$1${MASK}`)
    .replace(SECRET_OPTION, `$1${MASK}`)
    .replace(SECRET_ITEM, `$1${MASK}`);

const SECRET_NAME = /^--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api-?key)$/i;

/** Returns the words of a command line with their secrets masked. */
export const maskedWords = (words: readonly string[]): readonly string[] =>
  words.map((word, index) => (SECRET_NAME.test(words[index - 1] ?? '') ? MASK : maskedText(word)));

/** Returns the value of a manifest key; that of a variable is masked completely. */
const maskedValue = (key: string, value: string): string =>
  key.startsWith('env.vars.') ? MASK : maskedText(value);

const maskedKey = ({ key, from, to, ...rest }: ChangedKey): ChangedKey => ({
  key,
  ...rest,
  ...(from !== undefined && { from: maskedValue(key, from) }),
  ...(to !== undefined && { to: maskedValue(key, to) }),
});

/** Returns the plan with secret values masked; which keys changed stays visible. */
export const maskedPlan = ({ changes, ...plan }: Plan): Plan => ({
  ...plan,
  changes: changes.map((change) => ({ ...change, keys: change.keys.map(maskedKey) })),
});
