// Masks secrets in variables, command lines and addresses, which would be readable in a plan, on a shared
// terminal or in the log of a pipeline.
// Rules: `docs/behaviour.md`, "Command lines and addresses", "Masked".

const MASK = '***';

/** Each pattern has the text before the secret as its first group. Names end in a word for a secret. */
const PATTERNS: readonly RegExp[] = [
  // The password in `https://user:password@host`: from the first colon to the last `@` before a slash.
  /(:\/\/[^\s/:@"']*:)[^\s/"']+(?=@)/g,
  // The value in `https://host/?api_key=value`.
  /([?&][\w.-]*(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|credentials)=)[^\s&#"']+/gi,
  // The value in `--password value` or `--api-key=value`, also in quotes.
  /((?<![\w-])--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|credentials)(?:=|\s+))("[^"]*"|'[^']*'|[^\s"']+)/gi,
  // The value in `"--password", "value"`, as in a list of words.
  /("--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|credentials)"\s*,\s*")(?:[^"\\]|\\.)*/gi,
  // The value in `PGPASSWORD=value program`; a reference such as `"$NAME"` says nothing.
  /((?<![\w?&-])\w*(?:passw(?:or)?d|passphrase|secret|token|api_?key|credentials)=)(?!["']?\$)("[^"]*"|'[^']*'|[^\s"';&|)]+)/gi,
  // The password in `curl -u name:password`.
  /((?<![\w-])(?:-u|--user)[=\s]["']?[\w.@]+:)[^\s"']+/g,
  // The value in `-H "Authorization: Bearer value"`.
  /(authorization:\s?(?:basic\s|bearer\s|token\s)?)[^\s"']+/gi,
];

/** Returns the text with passwords in addresses and values of options like `--password` masked. */
export const maskedText = (text: string): string =>
  PATTERNS.reduce((masked, pattern) => masked.replace(pattern, `$1${MASK}`), text);

const SECRET_NAME = /^--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|credentials)$/i;
const LOGIN = /^(?:-u|--user)$/;

const maskedWord = (word: string, before: string): string => {
  if (SECRET_NAME.test(before)) return MASK;
  return LOGIN.test(before) ? word.replace(/^([\w.@]+:).+$/s, `$1${MASK}`) : maskedText(word);
};

/** Returns the words of a command line with their secrets masked. */
export const maskedWords = (words: readonly string[]): readonly string[] =>
  words.map((word, index) => maskedWord(word, words[index - 1] ?? ''));

/** Returns the value of a manifest key; variables and addresses of alerts are masked completely. */
export const maskedValue = (key: string, value: string): string =>
  key.startsWith('env.vars.') || key === 'alerts' ? MASK : maskedText(value);

/** A changed key, in a plan or in the document of one. */
interface WithValues {
  readonly key: string;
  readonly from?: string | null;
  readonly to?: string | null;
}

const maskedKey = <K extends WithValues>(one: K): K => ({
  ...one,
  ...(typeof one.from === 'string' && { from: maskedValue(one.key, one.from) }),
  ...(typeof one.to === 'string' && { to: maskedValue(one.key, one.to) }),
});

/** Returns the plan, or its document, with secret values masked; which keys changed stays visible. */
export const maskedPlan = <
  P extends { readonly changes: readonly { readonly keys: readonly WithValues[] }[] },
>(
  plan: P,
): P => ({
  ...plan,
  changes: plan.changes.map((change) => ({ ...change, keys: change.keys.map(maskedKey) })),
});
