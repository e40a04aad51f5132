// Text from elsewhere: output of services, messages of programs, names, paths, environment values. A terminal
// obeys some characters, and others change what is seen: escape sequences, control characters, bidirectional
// controls and zero-width characters. Every output for people passes such text through this module. All of it
// is linear in the length of the text, and shows at most `MAX_SHOWN_CHARACTERS` of a text.

/** UTF-16 code units per text. Log files and JSON documents hold the whole text. */
const MAX_SHOWN_CHARACTERS = 64 * 1024;

/**
 * Control characters except tab and newline, line separators, lone surrogates, and all that Unicode lets a
 * terminal draw as nothing (including bidirectional controls). Variation selectors stay: they only choose the
 * form of the character before them, as in emoji.
 */
const HIDDEN =
  // eslint-disable-next-line no-misleading-character-class -- variation selectors stand alone in the class
  /(?![\t\n\ufe00-\ufe0f])[\p{Cc}\p{Cs}\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

/** JSON already escapes control characters below U+0020 and lone surrogates. */
const HIDDEN_IN_JSON =
  /(?![\ufe00-\ufe0f])[\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

/** `\x1b`, `\u202e`, `\u{e0041}`. */
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

/** The text, perhaps of several lines: tabs and newlines stay, hidden characters are written out. */
export const shownText = (text: string): string => capped(text, escaped);

const inOneLine = (text: string): string =>
  escaped(text.replace(/[\n\r\t]/g, (found) => BREAKS.get(found) ?? found));

/** One line with all blanks: newlines and tabs are written out as `\n` and `\t`. */
export const escapedLine = (text: string): string => capped(text, inOneLine);

/** One sentence or table cell: like `escapedLine`, but a tab becomes a space, and the ends are trimmed. */
export const shownLine = (text: string): string =>
  capped(text.trim(), (part) => inOneLine(part.replaceAll('\t', ' ')));

/** Hidden characters become dots and tabs stay, so that later text keeps its column. */
export const dottedLine = (text: string): string =>
  text.replaceAll('\n', '\u00b7').replace(HIDDEN, (found) => '\u00b7'.repeat(found.length));

/** CSI, then OSC and other strings, then the short ones. */
const SEQUENCE =
  // eslint-disable-next-line no-control-regex -- escape sequences are exactly what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/g;
// eslint-disable-next-line no-control-regex -- as above
const COLOUR = /^\u001b\[[0-9;:]*m$/;
const RESET = '\u001b[0m';

/** Windows lines end with a carriage return. A regular expression for those at the end would be quadratic. */
const withoutReturns = (line: string): string => {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(0, end);
};

const withoutSequences = (line: string): string => escaped(line.replace(SEQUENCE, ''));

const withColourCodes = (line: string): string => {
  const parts: string[] = [];
  let at = 0;
  let isColoured = false;
  for (const { 0: sequence, index } of line.matchAll(SEQUENCE)) {
    parts.push(escaped(line.slice(at, index)));
    at = index + sequence.length;
    if (!COLOUR.test(sequence)) continue;
    isColoured = true;
    parts.push(sequence);
  }
  parts.push(escaped(line.slice(at)));
  return parts.join('') + (isColoured ? RESET : '');
};

/** A line of a service's output for a pipe, without escape sequences. */
export const shownOutput = (line: string): string => capped(withoutReturns(line), withoutSequences);

/**
 * A line of a service's output for a terminal: colours are the only escape sequences, and end with the line.
 */
export const colouredOutput = (line: string): string => capped(withoutReturns(line), withColourCodes);

/** Escapes both halves of a surrogate pair as JSON does. */
const jsonEscape = (found: string): string => {
  let text = '';
  for (let at = 0; at < found.length; at += 1)
    text += `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return text;
};

/** JSON that is safe on a terminal: hidden characters in strings are escaped, the values are the same. */
export const documentJson = (document: object, space?: number): string =>
  JSON.stringify(document, undefined, space).replace(HIDDEN_IN_JSON, jsonEscape);
