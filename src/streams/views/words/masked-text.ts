// Masks secrets in variables, command lines and addresses. Otherwise a plan, a shared terminal or the log of
// a pipeline would show them.
// Rules: `docs/behaviour.md`, "Command lines and addresses", "Masked".

const MASK = '***';

/**
 * Patterns that find secrets. The first group of each pattern is the text before the secret. Names of secrets
 * end in words like `token`.
 */
const PATTERNS: readonly RegExp[] = [
  // The password in `https://user:password@host`: from the first colon to the last `@` before a slash.
  /(:\/\/[^\s/:@"']*:)[^\s/"']+(?=@)/g,
  // The value in `https://host/?api_key=value`.
  /([?&][\w.-]*(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|credentials)=)[^\s&#"']+/gi,
  // The value in `--password value` or `--api-key=value`, also in quotes.
  /((?<![\w-])--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|credentials)(?:=|\s+))("[^"]*"|'[^']*'|[^\s"']+)/gi,
  // The value in `"--password", "value"`, as in a list of words.
  /("--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|credentials)"\s*,\s*")(?:[^"\\]|\\.)*/gi,
  // The value in `PGPASSWORD=value program`. A reference such as `"$NAME"` is not masked: it shows no secret.
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

/** Returns the value of a manifest key, with secrets masked. Variables and `alerts` are masked completely. */
export const maskedValue = (key: string, value: string): string =>
  key.startsWith('env.vars.') || key === 'alerts' ? MASK : maskedText(value);

/** A changed key in a plan, or in the document of a plan. */
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

/** Returns the plan, or its document, with secret values masked. The names of changed keys stay visible. */
export const maskedPlan = <
  P extends { readonly changes: readonly { readonly keys: readonly WithValues[] }[] },
>(
  plan: P,
): P => ({
  ...plan,
  changes: plan.changes.map((change) => ({ ...change, keys: change.keys.map(maskedKey) })),
});
