// Makes text from other programs and from files safe to print: output, messages, names, paths, values. A
// terminal executes escape sequences and control characters; bidirectional controls and zero-width characters
// change what the user sees. Such text reaches users only through these functions. Each function takes linear
// time.
// Rules: `docs/behaviour.md`, "Events that a service reports".

/**
 * The maximum length of a text in the output for users, in UTF-16 code units. A longer text is cut, and the
 * number of left-out characters is added. Log files and JSON have the whole text.
 */
const MAX_SHOWN_CHARACTERS = 64 * 1024;

/** Characters that a terminal executes or shows as nothing, except tab, newline and variation selectors. */
const HIDDEN =
  // eslint-disable-next-line no-misleading-character-class -- variation selectors stand alone in the class
  /(?![\t\n\ufe00-\ufe0f])[\p{Cc}\p{Cs}\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The hidden characters in JSON text, where control characters below U+0020 and lone surrogates are escaped
 * already.
 */
const HIDDEN_IN_JSON =
  /(?![\ufe00-\ufe0f])[\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

/** Returns the character as visible text: `\x1b`, `\u202e`, `\u{e0041}`. */
const escapeOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
  return code < 0x1_0000 ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
};

const BREAKS: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

const capped = (text: string, show: (text: string) => string): string =>
  text.length <= MAX_SHOWN_CHARACTERS
    ? show(text)
    : `${show(text.slice(0, MAX_SHOWN_CHARACTERS))}… (${text.length - MAX_SHOWN_CHARACTERS} more characters)`;

const escaped = (text: string): string => text.replace(HIDDEN, escapeOf);

/**
 * Returns text of one or more lines, in which hidden characters are escaped. Tabs and newlines are unchanged.
 */
export const shownText = (text: string): string => capped(text, escaped);

const inOneLine = (text: string): string =>
  escaped(text.replace(/[\n\r\t]/g, (found) => BREAKS.get(found) ?? found));

/** Returns the text as one line: newlines and tabs are escaped too. Spaces at its ends are kept. */
export const escapedLine = (text: string): string => capped(text, inOneLine);

/**
 * Returns the text as one sentence or table cell: tabs become spaces, newlines are escaped, and spaces at its
 * ends are removed.
 */
export const shownLine = (text: string): string =>
  capped(text.trim(), (part) => inOneLine(part.replaceAll('\t', ' ')));

/**
 * Returns the line with a dot for each hidden character, so that later text stays in its column. Tabs stay.
 */
export const dottedLine = (text: string): string =>
  text.replaceAll('\n', '\u00b7').replace(HIDDEN, (found) => '\u00b7'.repeat(found.length));

/**
 * Matches an escape sequence. The alternatives are: CSI, then OSC and other strings, then short sequences.
 */
const SEQUENCE =
  // eslint-disable-next-line no-control-regex -- escape sequences are exactly what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/g;
// eslint-disable-next-line no-control-regex -- as above
const COLOUR = /^\u001b\[[0-9;:]*m$/;
const RESET = '\u001b[0m';
/**
 * Matches the sequences with which the live view draws: colours, cursor, erasing a line, wrapping, alternate
 * screen.
 */
// eslint-disable-next-line no-control-regex -- as above
const DRAWING = /^\u001b\[(?:[0-9;:]*[mHK]|\?(?:7|25|1049)[hl])$/;

/** Removes carriage returns at the end of the line. A regular expression would take quadratic time. */
const withoutReturns = (line: string): string => {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(0, end);
};

const withoutSequences = (line: string): string => escaped(line.replace(SEQUENCE, ''));

/**
 * Returns the line without escape sequences that do not match `allowed`. If colours remain, they are reset at
 * the end of the line.
 */
const withOnly = (line: string, allowed: RegExp): string => {
  const parts: string[] = [];
  let at = 0;
  let isColoured = false;
  for (const { 0: sequence, index } of line.matchAll(SEQUENCE)) {
    parts.push(escaped(line.slice(at, index)));
    at = index + sequence.length;
    if (!allowed.test(sequence)) continue;
    isColoured ||= COLOUR.test(sequence);
    parts.push(sequence);
  }
  parts.push(escaped(line.slice(at)));
  return parts.join('') + (isColoured ? RESET : '');
};

/** Returns a line of service output for a pipe, without escape sequences. */
export const shownOutput = (line: string): string => capped(withoutReturns(line), withoutSequences);

/**
 * Returns a line of service output for a terminal. It keeps only the escape sequences for colours, and resets
 * the colours at the end.
 */
export const colouredOutput = (line: string): string =>
  capped(withoutReturns(line), (part) => withOnly(part, COLOUR));

/**
 * Returns the text of a live view on another machine. Of its escape sequences, only those that draw are kept.
 */
export const drawnOutput = (text: string): string =>
  text
    .split('\r')
    .map((part) => withOnly(part, DRAWING))
    .join('\r');

/** Returns the character as JSON escapes, two for a surrogate pair. */
const jsonEscape = (found: string): string => {
  let text = '';
  for (let at = 0; at < found.length; at += 1)
    text += `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return text;
};

/** Returns the document as JSON that is safe to print: hidden characters are escaped. */
export const documentJson = (document: object, space?: number): string =>
  JSON.stringify(document, undefined, space).replace(HIDDEN_IN_JSON, jsonEscape);
