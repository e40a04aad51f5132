import { describe, expect, it } from 'vitest';
import { fuzzyMatch } from '../../../../src/streams/views/words/fuzzy.ts';

const NAMES = ['shop/web', 'shop/web-admin', 'shop/worker', 'shop/weblog-builder', 'ops/backup', 'web/api'];

const best = (letters: string): readonly string[] =>
  NAMES.flatMap((name) => ({ name, match: fuzzyMatch(letters, name) }))
    .filter(({ match }) => match !== undefined)
    .toSorted((one, other) => (other.match?.score ?? 0) - (one.match?.score ?? 0))
    .map(({ name }) => name);

const marked = (letters: string, name: string): string =>
  Array.from(name, (letter, at) =>
    fuzzyMatch(letters, name)?.places.includes(at) ? letter.toUpperCase() : letter,
  ).join('');

describe('the fuzzy filter', () => {
  it('the filter finds names that have the letters in this order, and no others', () => {
    expect(best('wk')).toEqual(['shop/worker']);
    expect(best('bw')).toEqual([]);
    expect(best('zz')).toEqual([]);
    expect(best('')).toHaveLength(NAMES.length);
  });

  it('the filter puts whole words first, then shorter names', () => {
    expect(best('web')).toEqual(['web/api', 'shop/web', 'shop/web-admin', 'shop/weblog-builder']);
    expect(best('wa')[0]).toBe('web/api');
    expect(best('swa')[0]).toBe('shop/web-admin');
  });

  it('the filter ignores case, and prefers letters at the begin of words and next to each other', () => {
    expect(marked('WB', 'shop/weblog-builder')).toBe('shop/Weblog-Builder');
    expect(marked('web', 'shop/w-e-web')).toBe('shop/w-e-WEB');
    expect(marked('sb', 'shop/blob')).toBe('Shop/Blob');
  });
});
