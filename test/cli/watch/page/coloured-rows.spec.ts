import { describe, expect, it } from 'vitest';
import { colouredRows, cutColoured } from '../../../../src/cli/watch/page/coloured-rows.ts';

const RED = '\u001b[31m';
const OFF = '\u001b[0m';

describe('coloured rows', () => {
  it('coloured rows are as wide as the terminal, and colours go on from row to row', () => {
    expect(colouredRows('abcdef', 4)).toEqual(['abcd', 'ef']);
    expect(colouredRows(`ab${RED}cdef${OFF}gh`, 4)).toEqual([`ab${RED}cd${OFF}`, `${RED}ef${OFF}gh`]);
    expect(colouredRows(`${RED}abcde`, 4)).toEqual([`${RED}abcd${OFF}`, `${RED}e${OFF}`]);
    expect(colouredRows('', 4)).toEqual(['']);
  });

  it('coloured rows do not split a wide character, nor a mark from its letter', () => {
    expect(colouredRows('a漢字b', 3)).toEqual(['a漢', '字b']);
    expect(colouredRows('abe\u0301d', 3)).toEqual(['abe\u0301', 'd']);
    expect(colouredRows('漢字', 1)).toEqual(['漢', '字']);
  });

  it('a cut row ends with a sign, and without colour', () => {
    expect(cutColoured('abcd', 4)).toBe('abcd');
    expect(cutColoured('abcde', 4)).toBe('abc…');
    expect(cutColoured(`${RED}abcde${OFF}`, 4)).toBe(`${RED}abc${OFF}…`);
    expect(cutColoured('abc', 1)).toBe('…');
  });
});
