// Searches bytes for texts.
import { requiredTexts } from './required-text.ts';

/**
 * A search in bytes. The function that it returns takes an offset, and returns the next offset at which one
 * of the searched texts begins, or -1.
 */
export type Search = (bytes: Buffer) => (from: number) => number;

/** Returns a search for these texts. */
export const exactly =
  (texts: readonly string[]): Search =>
  (bytes) => {
    const needles = texts.map((text) => ({ text: Buffer.from(text), at: -1, isGone: false }));
    return (from) => {
      for (const needle of needles) {
        if (needle.isGone || needle.at >= from) continue;
        needle.at = bytes.indexOf(needle.text, from);
        needle.isGone = needle.at < 0;
      }
      const next = Math.min(...needles.map(({ at, isGone }) => (isGone ? Infinity : at)));
      return next === Infinity ? -1 : next;
    };
  };

const inEitherCase = (texts: readonly string[]): Search => {
  const source = texts.map((text) => text.replace(/[^A-Za-z0-9]/g, '\\$&')).join('|');
  return (bytes) => {
    const text = bytes.toString('latin1');
    const form = new RegExp(source, 'gi');
    return (from) => {
      form.lastIndex = from;
      return form.exec(text)?.index ?? -1;
    };
  };
};

/** Returns a search for the places where the pattern may match; `undefined` if it may match anywhere. */
export const searchFor = (pattern: RegExp): Search | undefined => {
  const texts = requiredTexts(pattern);
  if (texts === undefined) return undefined;
  return pattern.ignoreCase ? inEitherCase(texts) : exactly(texts);
};
