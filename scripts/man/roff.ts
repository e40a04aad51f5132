// Escapes text for roff, so that no character is taken for a request, an escape or a macro.

/**
 * Characters that roff would interpret or print differently. Other characters beyond ASCII are written as
 * numbers.
 */
const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '…': '...',
  '–': '\\(en',
  '—': '\\(em',
  '→': '\\(->',
  '×': '\\(mu',
};

/**
 * Additional characters in text that a user types: a dash becomes a minus and an apostrophe upright, so that
 * the text can be copied.
 */
const TYPED: Readonly<Record<string, string>> = { ...SPECIAL, '-': '\\-', "'": '\\(aq' };

const numbered = (character: string): string =>
  `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

const written = (text: string, table: Readonly<Record<string, string>>): string =>
  text.replaceAll(
    /[^a-zA-Z0-9 ]/gu,
    (character) => table[character] ?? (character > '~' ? numbered(character) : character),
  );

/** Returns prose as roff text. */
export const prose = (text: string): string => written(text, SPECIAL);

/** Returns a word of a command line, a manifest or a program as roff text. */
export const typed = (text: string): string => written(text, TYPED);

/** Escapes a dot or an apostrophe at the beginning of a line, because it would make the line a request. */
export const asLine = (text: string): string => (/^[.']/.test(text) ? `\\&${text}` : text);

const WIDTH = 78;

const wrapped = (sentence: string): readonly string[] =>
  sentence.split(/\s+/).reduce<readonly string[]>((lines, word) => {
    const last = lines.at(-1);
    return last === undefined || last.length + 1 + word.length > WIDTH
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`];
  }, []);

/**
 * Matches the space after a sentence. A dot that is a word of its own, or the last one of three, ends no
 * sentence.
 */
const SENTENCE_END = /(?<=(?<!\\fB|\.)[.?!](?:[)]|\\\(dq|\\f[RBI])*)\s+/;

/** Returns a paragraph as lines of at most 78 columns. Each sentence begins on a new line. */
export const textLines = (text: string): readonly string[] =>
  text.trim().split(SENTENCE_END).flatMap(wrapped).map(asLine);

/** Returns the arguments of a macro. A word that looks like a macro is escaped. */
export const asArguments = (text: string): string =>
  text
    .split(/\s+/)
    .map((word) => (/^%?[A-Z][a-z]{1,2}$/.test(word) ? `\\&${word}` : word))
    .join(' ');
