// Small checks for what came over the wire: a value that does not fit is refused with the rule it breaks.

/** A value that was accepted, or the sentence that says why not. */
export type Checked<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** It is what it should be. */
export const accept = <T>(value: T): Checked<T> => ({ ok: true, value });
/** `problem` names the path, the rule and the value, and goes to whoever sent it. */
export const refuse = (problem: string): Checked<never> => ({ ok: false, problem });

/** Longer than any path or name, shorter than mischief. */
const LONGEST_TEXT = 4096;

export type Fields = Readonly<Record<string, unknown>>;

/** An object with keys; neither `null` nor a list. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a person is shown of a value that was refused. */
export const shown = (value: unknown): string => {
  const text = jsonOf(value);
  if (text === undefined) return 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

/** What was parsed can be nested too deeply to be written again. */
const jsonOf = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value);
  } catch {
    return 'a value that is nested too deeply';
  }
};

/** An object with no keys but these. */
export const checkFields = (value: unknown, path: string, keys: readonly string[]): Checked<Fields> => {
  if (!isFields(value)) return refuse(`${path}: ${shown(value)} is not an object`);
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  return unknown === undefined ? accept(value) : refuse(`${path}: ${shown(unknown)} is not a known key`);
};

/** A text that can be a name or a path. */
export const checkText = (value: unknown, path: string): Checked<string> => {
  if (typeof value !== 'string') return refuse(`${path}: ${shown(value)} is not a string`);
  if (value === '') return refuse(`${path}: is empty`);
  if (value.length > LONGEST_TEXT) return refuse(`${path}: is longer than ${LONGEST_TEXT} characters`);
  return value.includes('\0') ? refuse(`${path}: contains a NUL character`) : accept(value);
};
