import { describe, expect, it } from 'vitest';
import {
  colouredOutput,
  drawnOutput,
  documentJson,
  dottedLine,
  shownLine,
  shownOutput,
  shownText,
} from '../../../../src/streams/views/words/foreign-text.ts';

const ESC = '\u001b';
const BEL = '\u0007';

const MAX_SHOWN_CHARACTERS = 64 * 1024;

describe('the output of services', () => {
  it.each([
    ['a colour', `${ESC}[31mred${ESC}[0m`, 'red', `${ESC}[31mred${ESC}[0m${ESC}[0m`],
    ['a title', `${ESC}]0;evil${BEL}text`, 'text', 'text'],
    ['the clipboard', `${ESC}]52;c;ZXZpbA==${ESC}\\text`, 'text', 'text'],
    ['a cursor that goes up', `${ESC}[1A${ESC}[2Kfaked`, 'faked', 'faked'],
    ['a question to the terminal', `${ESC}[c${ESC}[6ntext`, 'text', 'text'],
    ['a device string', `${ESC}P1$r0m${ESC}\\text`, 'text', 'text'],
    ['an 8-bit sequence', '\u009b2Jtext', 'text', 'text'],
    ['another character set', `${ESC}(0text${ESC}(B`, 'text', 'text'],
    ['a reset', `${ESC}ctext`, 'text', 'text'],
    ['a bell and a backspace', `a${BEL}b\b`, 'a\\x07b\\x08', 'a\\x07b\\x08'],
    ['the end of a line of Windows', 'text\r', 'text', 'text'],
    ['a lone escape', `text${ESC}`, 'text\\x1b', 'text\\x1b'],
    ['nothing', 'tab\tand ünicode', 'tab\tand ünicode', 'tab\tand ünicode'],
  ])('output with %s is safe for a pipe and a terminal', (...[, text, pipe, terminal]) => {
    expect(shownOutput(text)).toBe(pipe);
    expect(colouredOutput(text)).toBe(terminal);
  });
});

const HIDDEN: readonly (readonly [string, string, string])[] = [
  ['a right-to-left override', '\u202e', '\\u202e'],
  ['a bidirectional embedding', '\u202a', '\\u202a'],
  ['a bidirectional isolate', '\u2066', '\\u2066'],
  ['the end of an isolate', '\u2069', '\\u2069'],
  ['a left-to-right mark', '\u200e', '\\u200e'],
  ['a right-to-left mark', '\u200f', '\\u200f'],
  ['an Arabic letter mark', '\u061c', '\\u061c'],
  ['a zero-width space', '\u200b', '\\u200b'],
  ['a zero-width joiner', '\u200d', '\\u200d'],
  ['a word joiner', '\u2060', '\\u2060'],
  ['a byte order mark', '\ufeff', '\\ufeff'],
  ['a soft hyphen', '\u00ad', '\\xad'],
  ['a Hangul filler', '\u3164', '\\u3164'],
  ['a tag character', '\u{e0041}', '\\u{e0041}'],
  ['a line separator', '\u2028', '\\u2028'],
  ['a C1 control', '\u0085', '\\x85'],
  ['a DEL', '\u007f', '\\x7f'],
  ['a NUL', '\u0000', '\\x00'],
  ['a lone surrogate', '\ud83d', '\\ud83d'],
];

describe('a hidden character', () => {
  it.each(HIDDEN)('a hidden character is escaped in text for users: %s', (...[, found, written]) => {
    for (const show of [shownText, shownLine, shownOutput, colouredOutput])
      expect(show(`a${found}b`)).toBe(`a${written}b`);
  });

  it.each(HIDDEN)('a hidden character is escaped in JSON, whose value is unchanged: %s', (...[, found]) => {
    const json = documentJson({ text: `a${found}b` });
    expect(json).not.toContain(found);
    expect(JSON.parse(json)).toEqual({ text: `a${found}b` });
  });

  it('emoji with a variation selector, accents and other scripts are not escaped', () => {
    const text = '❤️ e\u0301 日本 שלום 👍🏽';
    for (const show of [shownText, shownLine, shownOutput, colouredOutput, dottedLine])
      expect(show(text)).toBe(text);
    expect(documentJson({ text })).toBe(JSON.stringify({ text }));
  });

  it('a hidden character becomes dots where columns are marked', () => {
    expect(dottedLine('a\u202eb\u{e0041}c\td')).toBe('a·b··c\td');
  });
});

describe('a sentence of one line', () => {
  it('a sentence of one line has its newlines escaped, so that it stays one line', () => {
    expect(shownLine('exited\nERR0001 forged\r\nmore\tthere\n')).toBe(
      'exited\\nERR0001 forged\\r\\nmore there',
    );
    expect(shownText('two\nlines')).toBe('two\nlines');
  });

  it('a sentence of one line is cut at 64 KiB and says how much is omitted', () => {
    const long = 'x'.repeat(MAX_SHOWN_CHARACTERS + 10);
    for (const show of [shownText, shownLine, shownOutput, colouredOutput])
      expect(show(long)).toBe(`${'x'.repeat(MAX_SHOWN_CHARACTERS)}… (10 more characters)`);
  });
});

it('only sequences that draw on the screen stay in a live view of another machine', () => {
  const drawn = '\u001b[?1049h\u001b[2;1H\u001b[Ka\r\n\u001b[?25l';
  expect(drawnOutput(drawn)).toBe(drawn);
  expect(drawnOutput('\u001b[31mred')).toBe('\u001b[31mred\u001b[0m');
  expect(drawnOutput('\u001b]52;c;YQ==\u0007x\u001b[6n\u001b[?1000h\u001bPq\u001b\\y\u0005')).toBe('xy\\x05');
});
