// Splits text into words as Python's `shlex` does it for supervisord.

/** Matches a character of a word. The last two characters mark a variable (`percent-format.ts`). */
const WORD = /[\w/.+\-():\uE000\uE001]/;
const QUOTE = /['"]/;

/**
 * Returns the index after the token that begins at `at`. Throws a `RangeError` if a quote in it is not
 * closed.
 */
const tokenEnd = (text: string, at: number): number => {
  const letter = text.charAt(at);
  if (letter === '#') return text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at);
  if (QUOTE.test(letter)) {
    const end = text.indexOf(letter, at + 1);
    if (end === -1) throw new RangeError('a quote is not closed');
    return end + 1;
  }
  let end = at + 1;
  if (WORD.test(letter)) while (WORD.test(text.charAt(end)) || QUOTE.test(text.charAt(end))) end += 1;
  return end;
};

/** Returns the tokens of `KEY=value,…`. */
const tokensOf = (text: string): readonly string[] => {
  const tokens: string[] = [];
  let at = 0;
  while (at < text.length) {
    const end = tokenEnd(text, at);
    if (!/[\s#]/.test(text.charAt(at))) tokens.push(text.slice(at, end));
    at = end;
  }
  return tokens;
};

/** Returns the text without the quotes at its beginning and end. */
const unquoted = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && QUOTE.test(text.charAt(start))) start += 1;
  while (end > start && QUOTE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
};

/** Returns the variables of `KEY="value",OTHER=…`. Throws a `RangeError` if the text has another form. */
export const keyValuePairs = (text: string): Readonly<Record<string, string>> => {
  const tokens = tokensOf(text);
  const pairs: [string, string][] = [];
  for (let at = 0; at < tokens.length; at += 4) {
    const [key, equals, value] = tokens.slice(at, at + 3);
    if (key === undefined || equals !== '=' || value === undefined)
      throw new RangeError('this is not a list KEY="value",KEY="value"');
    pairs.push([key, unquoted(value)]);
  }
  return Object.fromEntries(pairs);
};

interface OpenWord {
  text: string;
  isOpen: boolean;
  quote: string;
}

/** Adds the character after a backslash. In double quotes the backslash stays, except before `"` and `\`. */
const addEscaped = (word: OpenWord, letter: string | undefined): void => {
  if (letter === undefined) throw new RangeError('nothing follows the last backslash');
  word.text += word.quote === '"' && !/["\\]/.test(letter) ? `\\${letter}` : letter;
};

/** Reads a character of a word at the index `at`. Returns the index of the last character that was read. */
const readLetter = (word: OpenWord, line: string, at: number): number => {
  const letter = line.charAt(at);
  word.isOpen = true;
  if (letter === '\\' && word.quote !== "'") {
    addEscaped(word, line[at + 1]);
    return at + 1;
  }
  if (letter === word.quote) word.quote = '';
  else if (word.quote === '' && QUOTE.test(letter)) word.quote = letter;
  else word.text += letter;
  return at;
};

/** Returns the words of a command line. Throws a `RangeError` if a quote is not closed. */
export const splitWords = (line: string): readonly string[] => {
  const words: string[] = [];
  const word: OpenWord = { text: '', isOpen: false, quote: '' };
  const close = (): void => {
    if (word.isOpen) words.push(word.text);
    Object.assign(word, { text: '', isOpen: false });
  };
  for (let at = 0; at < line.length; at += 1) {
    if (word.quote === '' && /[ \t\r\n]/.test(line.charAt(at))) close();
    else at = readLetter(word, line, at);
  }
  if (word.quote !== '') throw new RangeError('a quote is not closed');
  close();
  return words;
};
