// Converts values of other programs to text, lists and numbers. Also makes readers for rows that only write
// the value in another form.
import { constants } from 'node:os';
import { escapedLine } from '../streams/views/words/foreign-text.ts';
import { isList, type Plain, type Setting, type Translation } from './key-table.ts';

/** Returns a scalar as text, and a list or map as JSON. */
export const textOf = (value: Plain | undefined): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

/** Returns the texts of a list, or of a single value. */
export const textsOf = (value: Plain | undefined): readonly string[] => {
  if (value === undefined || value === null) return [];
  return isList(value) ? value.map(textOf) : [textOf(value)];
};

/** Returns the value for a message: in one line, escaped and shortened. */
export const shownValue = (value: Plain): string => {
  const text = typeof value === 'string' ? `"${value}"` : JSON.stringify(value);
  return escapedLine(text.length > 60 ? `${text.slice(0, 60)}…` : text);
};

export const isTrue = (value: Plain | undefined): boolean => value === true || value === 'true';

/** Returns the value as a number, also if it is written as text; `undefined` if it is no number. */
export const numberOf = (value: Plain | undefined): number | undefined => {
  const isNumeric =
    typeof value === 'number' || (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value));
  return isNumeric ? Number(value) : undefined;
};

/** Returns the name of a signal: `SIGINT` for `2`, `INT` and `SIGINT`; `undefined` for an unknown signal. */
export const signalName = (word: string): string | undefined => {
  const text = word.trim().toUpperCase();
  const found = Object.entries(constants.signals).find(
    ([name, number]) => name === text || name === `SIG${text}` || String(number) === text,
  );
  return found?.[0];
};

const HIGHEST_CPU = 8191;

/**
 * Returns the numbers in a list of processors, `0-3,8` or `0-3 8`. Returns `undefined` if the text has
 * another form.
 */
export const processorList = (text: string): readonly number[] | undefined => {
  const found = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => {
      const [, from, to = from] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? [];
      if (from === undefined || Number(to) > HIGHEST_CPU || Number(to) < Number(from)) return undefined;
      return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at);
    });
  if (found.length === 0 || found.includes(undefined)) return undefined;
  return [...new Set(found.flatMap((part) => part ?? []))];
};

/**
 * Returns a reader that writes the result of `turn` to the key `ours`. The setting is lost if the result is
 * `undefined`. `kind`: the expected kind of value, for the message about the loss.
 */
export const translated =
  (ours: string, turn: (value: Plain) => Plain | undefined, kind: string) =>
  ({ value }: Pick<Setting, 'value'>): Translation => {
    const result = turn(value);
    return result === undefined
      ? { lost: `${shownValue(value)} is not ${kind}` }
      : { keys: { [ours]: result } };
  };

/** Returns a reader that writes a number to the key `ours`. */
export const numberTo = (ours: string): ((setting: Pick<Setting, 'value'>) => Translation) =>
  translated(ours, numberOf, 'a number');
