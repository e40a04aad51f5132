import { describe, expect, it } from 'vitest';
import { hanging, wrapped } from '../../../src/cli/render/paragraphs.ts';

describe('wrapping text', () => {
  it('text is wrapped at blanks, and never within a word', () => {
    expect(wrapped('one two three', 20)).toEqual(['one two three']);
    expect(wrapped('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapped('/a/very/long/path is long', 6)).toEqual(['/a/very/long/path', 'is', 'long']);
    expect(wrapped('', 6)).toEqual(['']);
  });

  it('wrapped text is indented, and in a pipe it is not wrapped', () => {
    const text = 'a line of some words more than fit';
    expect(hanging('  facts  ', text, 33)).toEqual([
      '  facts  a line of some words',
      '         more than fit',
    ]);
    expect(hanging('  ', text)).toEqual([`  ${text}`]);
  });
});
