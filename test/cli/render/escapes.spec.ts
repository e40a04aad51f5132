import { describe, expect, it } from 'vitest';
import { withColours, withoutEscapes } from '../../../src/cli/render/escapes.ts';

const ESC = '\u001b';
const BEL = '\u0007';

describe('what services print', () => {
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
  ])('with %s is fit for a pipe and for a terminal', (...[, text, pipe, terminal]) => {
    expect(withoutEscapes(text)).toBe(pipe);
    expect(withColours(text)).toBe(terminal);
  });
});
