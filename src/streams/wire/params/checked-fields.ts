// Checks values that clients send. An error says which rule a value breaks.

export type Checked<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** Returns the result for a valid value. */
export const accept = <T>(value: T): Checked<T> => ({ ok: true, value });
/**
 * Returns the result for an invalid value. `problem`: the text for the client, with the path, the rule and
 * the value.
 */
export const refuse = (problem: string): Checked<never> => ({ ok: false, problem });

/** The maximum length of a text from a client, in characters. Every valid path and name is shorter. */
const LONGEST_TEXT = 4096;

export type Fields = Readonly<Record<string, unknown>>;

/** True for an object. False for `null` and for a list. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the object in a JSON text; `undefined` if the text is no JSON object. */
export const fieldsIn = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Returns a refused value as text for users, cut after 60 characters. */
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

/** Accepts an object that has no other keys than `keys`. */
export const checkFields = (value: unknown, path: string, keys: readonly string[]): Checked<Fields> => {
  if (!isFields(value)) return refuse(`${path}: ${shown(value)} is not an object`);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  return unknown === undefined ? accept(value) : refuse(`${path}: ${shown(unknown)} is not a known key`);
};

/** Accepts a text that can be a name or path: not empty, not too long, and without NUL character. */
export const checkText = (value: unknown, path: string): Checked<string> => {
  if (typeof value !== 'string') return refuse(`${path}: ${shown(value)} is not a string`);
  if (value === '') return refuse(`${path}: is empty`);
  if (value.length > LONGEST_TEXT) return refuse(`${path}: is longer than ${LONGEST_TEXT} characters`);
  return value.includes('\0') ? refuse(`${path}: contains a NUL character`) : accept(value);
};

/** The maximum number of characters of an origin: the name that a sending program gives itself. */
const LONGEST_ORIGIN = 64;

/** Matches characters that break the line or are invisible. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;

/** Returns the origin on one line, cut after 64 characters; `undefined` if it is empty or not a text. */
export const originIn = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const clean = value.slice(0, LONGEST_ORIGIN).replace(UNSEEN, ' ').trim();
  return clean === '' ? undefined : clean;
};
