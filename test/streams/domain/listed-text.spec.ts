import { describe, expect, it } from 'vitest';
import { listedText } from '../../../src/streams/domain/listed-text.ts';

describe('names in a sentence', () => {
  it.each([
    { names: [], text: '' },
    { names: ['web', 'db'], text: 'web, db' },
    { names: ['web', 'db', 'mail'], text: 'web, db and 1 more' },
    { names: [17, 4, 12, 9], text: '17, 4 and 2 more' },
  ])('names are listed as: $text', ({ names, text }) => {
    expect(listedText(names, 2)).toBe(text);
  });
});
