import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newestPage, newestWithin, nextPageLines, type Page, pageOf } from '../../src/mcp/tools/paging.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** Returns the entries of all pages, each read with the cursor of the one before. */
const allPages = <T>(all: readonly T[], limit: number): readonly T[] => {
  const read: T[] = [];
  for (let cursor: string | null = '0'; cursor !== null;) {
    const page: Page<T> = pageOf(all, limit, cursor);
    read.push(...page.shown);
    cursor = page.next;
  }
  return read;
};

describe('pages of a list', () => {
  it('the first page has as many entries as the limit, and the cursor of the next one', () => {
    expect(pageOf(numbers(5), 2)).toEqual({ shown: [0, 1], total: 5, next: '2' });
    expect(pageOf(numbers(5), 2, '4')).toEqual({ shown: [4], total: 5, next: null });
  });

  it('a page that ends with the list has no cursor, and one after the list is empty', () => {
    expect(pageOf(numbers(4), 2, '2').next).toBeNull();
    expect(pageOf(numbers(4), 2, '900')).toEqual({ shown: [], total: 4, next: null });
    expect(pageOf([], 20)).toEqual({ shown: [], total: 0, next: null });
  });

  it('large entries make a page shorter, but never empty', () => {
    const large = numbers(4).map((at) => ({ at, text: 'x'.repeat(25_000) }));
    expect(pageOf(large, 10)).toMatchObject({ shown: [{ at: 0 }, { at: 1 }], total: 4, next: '2' });
    const larger = [{ text: 'x'.repeat(100_000) }, { text: 'y' }];
    expect(pageOf(larger, 10).shown).toEqual(larger.slice(0, 1));
  });

  it('pages read one after another have every entry once, in order', () => {
    const entry = fc.record({ size: fc.constantFrom(1, 100, 30_000, 70_000) });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (sizes, limit) => {
        const all = sizes.map(({ size }, at) => ({ at, text: 'x'.repeat(size) }));
        expect(allPages(all, limit).map(({ at }) => at)).toEqual(all.map(({ at }) => at));
      }),
      { numRuns: 50 },
    );
  });

  it('a line says how to get the next page, if there is one', () => {
    expect(nextPageLines(pageOf(numbers(5), 2), 'services')).toEqual([
      '2 of 5 shown; for more: cursor "2", or services',
    ]);
    expect(nextPageLines(pageOf(numbers(2), 2), 'services')).toEqual([]);
  });
});

describe('the newest entries', () => {
  it('the newest entries that have room are kept, oldest first', () => {
    const size = (text: string): number => text.length;
    expect(newestWithin(['aaa', 'bb', 'c'], 3, size)).toEqual(['bb', 'c']);
    expect(newestWithin(['aaa', 'bb', 'c'], 6, size)).toEqual(['aaa', 'bb', 'c']);
    expect(newestWithin(['aaaa'], 3, size)).toEqual([]);
  });

  it('a page of newest entries is limited by their size as JSON', () => {
    const large = numbers(4).map((at) => ({ at, text: 'x'.repeat(25_000) }));
    expect(newestPage(large).map(({ at }) => at)).toEqual([2, 3]);
  });
});
