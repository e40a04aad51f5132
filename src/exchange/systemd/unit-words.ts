// Splits values into words as systemd does, with quotes and C escapes, and quotes words for a unit file.

const SIMPLE: Readonly<Record<string, string>> = {
  ...{ a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', s: ' ' },
  ...{ '\\': '\\', '"': '"', "'": "'" },
};

/**
 * Matches an escape with a number, after its backslash: `xhh`, `uhhhh`, `Uhhhhhhhh` or three octal digits.
 */
const NUMERIC = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([0-3][0-7]{2}))/i;

interface Escape {
  readonly text: string;
  /** The number of characters after the backslash. */
  readonly length: number;
}

/** Returns the character of an escape with a number; `undefined` if systemd refuses the escape. */
const numericEscape = (text: string): Escape | undefined => {
  const [whole, ...digits] = NUMERIC.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const octal = digits[3];
  const code = Number.parseInt(digits.join(''), octal === undefined ? 16 : 8);
  return code === 0 || code > 0x10_ffff
    ? undefined
    : { text: String.fromCodePoint(code), length: whole.length };
};

/** Returns the text of the escape after a backslash. An unknown escape is kept with its backslash. */
const escapeAt = (text: string, at: number): Escape => {
  const letter = text.slice(at, at + 1);
  const simple = SIMPLE[letter];
  if (simple !== undefined) return { text: simple, length: 1 };
  return numericEscape(text.slice(at, at + 9)) ?? { text: `\\${letter}`, length: letter.length };
};

interface UnitWord {
  readonly text: string;
  /** True if no character of the word was quoted or escaped. */
  readonly plain: boolean;
}

/**
 * Matches the next piece of a value outside of quotes: white space, a backslash, a quote, or other
 * characters.
 */
const WORD_PIECE = /\s+|\\|["']|[^\s\\"']+/y;
const QUOTED_PIECE = { '"': /\\|"|[^\\"]+/y, "'": /\\|'|[^\\']+/y };

interface Reading {
  readonly words: UnitWord[];
  text: string | undefined;
  plain: boolean;
  quote: '"' | "'" | undefined;
}

const endWord = (reading: Reading): void => {
  if (reading.text !== undefined) reading.words.push({ text: reading.text, plain: reading.plain });
  reading.text = undefined;
  reading.plain = true;
};

const isQuote = (piece: string): piece is '"' | "'" => piece === '"' || piece === "'";

/**
 * Adds a piece that is no escape to the word that is being read. White space outside of quotes ends the word.
 */
const takePiece = (reading: Reading, piece: string): void => {
  if (reading.quote === undefined && piece.trim() === '') return endWord(reading);
  reading.text ??= '';
  if (piece === reading.quote) reading.quote = undefined;
  else if (reading.quote === undefined && isQuote(piece)) {
    reading.quote = piece;
    reading.plain = false;
  } else reading.text += piece;
};

/** Returns the words of a value. A quote that is not closed ends with the value. */
export const wordsOf = (value: string): readonly UnitWord[] => {
  const reading: Reading = { words: [], text: undefined, plain: true, quote: undefined };
  for (let at = 0; at < value.length;) {
    const pattern = reading.quote === undefined ? WORD_PIECE : QUOTED_PIECE[reading.quote];
    pattern.lastIndex = at;
    const [piece = ''] = pattern.exec(value) ?? [];
    at += piece.length;
    if (piece !== '\\') takePiece(reading, piece);
    else {
      const { text, length } = escapeAt(value, at);
      reading.text = (reading.text ?? '') + text;
      reading.plain = false;
      at += length;
    }
  }
  endWord(reading);
  return reading.words;
};

/** Returns the texts of the words of a value. */
export const plainWords = (value: string): readonly string[] => wordsOf(value).map(({ text }) => text);

const ESCAPED: Readonly<Record<string, string>> = {
  ...{ '\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\r': '\\r' },
};

const escaped = (letter: string): string =>
  ESCAPED[letter] ?? `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Quotes a word for a unit file, so that systemd reads it unchanged. A `%` is doubled. */
export const unitWord = (word: string): string => {
  const text = word.replaceAll('%', '%%');
  if (/^[\w@%+=:,./$-]+$/.test(text)) return text;
  // eslint-disable-next-line no-control-regex -- these are what has to be escaped
  return `"${text.replaceAll(/[\u0000-\u001f\u007f\\"]/g, escaped)}"`;
};
