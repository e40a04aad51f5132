// Writes text for roff, so that it takes no character of it for a request, an escape or a macro.

/** Characters that roff reads or prints as something else. Others beyond ASCII are named by their number. */
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

/** In what is typed, a dash is a minus and an apostrophe is upright, so that it can be copied. */
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

/** Protects the beginning of a line: a dot or an apostrophe there would make it a request. */
export const asLine = (text: string): string => (/^[.']/.test(text) ? `\\&${text}` : text);

const WIDTH = 78;

const wrapped = (sentence: string): readonly string[] =>
  sentence.split(/\s+/).reduce<readonly string[]>((lines, word) => {
    const last = lines.at(-1);
    return last === undefined || last.length + 1 + word.length > WIDTH
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`];
  }, []);

/** The space after a sentence. A dot that is typed on its own, or the last of three, ends none. */
const SENTENCE_END = /(?<=(?<!\\fB|\.)[.?!](?:[)]|\\\(dq|\\f[RBI])*)\s+/;

/** Returns a paragraph as lines of at most 78 columns, each sentence on a line of its own. */
export const textLines = (text: string): readonly string[] =>
  text.trim().split(SENTENCE_END).flatMap(wrapped).map(asLine);

/** Returns the arguments of a macro. A word that looks like a macro is protected. */
export const asArguments = (text: string): string =>
  text
    .split(/\s+/)
    .map((word) => (/^%?[A-Z][a-z]{1,2}$/.test(word) ? `\\&${word}` : word))
    .join(' ');
