// Checks of values that clients send. The error names the rule that a value breaks.

export type Checked<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Returns the result for a valid value. */
export const accept = <T>(value: T): Checked<T> => ({ ok: true, value });
/** Returns the result for an invalid value. `problem`, with path, rule and value, is sent to the client. */
export const refuse = (problem: string): Checked<never> => ({ ok: false, problem });

/** Characters of a text from a client; every valid path and name is shorter. */
const LONGEST_TEXT = 4096;

export type Fields = Readonly<Record<string, unknown>>;

/** True for an object, but not for `null` or a list. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the object in a JSON text, if it is one. */
export const fieldsIn = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Returns a refused value as text for the user, cut to 60 characters. */
export const shown = (value: unknown): string => {
  const text = jsonOf(value);
  if (text === undefined) return 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

const jsonOf = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    return 'a value that is nested too deeply';
  }
};

/** Returns the value if it is an object with only these keys. */
export const checkFields = (value: unknown, path: string, keys: readonly string[]): Checked<Fields> => {
  if (!isFields(value)) return refuse(`${path}: ${shown(value)} is not an object`);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  return unknown === undefined ? accept(value) : refuse(`${path}: ${shown(unknown)} is not a known key`);
};

/** Returns the value if it can be a name or path: not empty, not too long, no NUL character. */
export const checkText = (value: unknown, path: string): Checked<string> => {
  if (typeof value !== 'string') return refuse(`${path}: ${shown(value)} is not a string`);
  if (value === '') return refuse(`${path}: is empty`);
  if (value.length > LONGEST_TEXT) return refuse(`${path}: is longer than ${LONGEST_TEXT} characters`);
  return value.includes('\0') ? refuse(`${path}: contains a NUL character`) : accept(value);
};

/** Characters of an origin, the program that sends a command, as it names itself. */
const LONGEST_ORIGIN = 64;

/** Characters that would break a line or hide what follows. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;

/** Returns the origin on one line, cut to 64 characters; `undefined` if the value is no text or is empty. */
export const originIn = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const clean = value.slice(0, LONGEST_ORIGIN).replace(UNSEEN, ' ').trim();
  return clean === '' ? undefined : clean;
};
