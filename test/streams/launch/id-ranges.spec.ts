import { describe, expect, it } from 'vitest';
import { itself, mapText, rangeFor, within, withRoot } from '../../../src/streams/launch/id-ranges.ts';

const free = { own: [], taken: [] };

describe('the ids of a user namespace', () => {
  it('user namespace ids are the same for a service each time, and differ between services', () => {
    expect(rangeFor('shop/web', free)).toEqual(rangeFor('shop/web', free));
    expect(rangeFor('shop/web', free)).not.toEqual(rangeFor('shop/db', free));
    expect(rangeFor('shop/web', free)?.count).toBe(65_536);
  });

  it('user namespace ids exclude ids of accounts and of other users', () => {
    const usual = rangeFor('shop/web', free);
    const other = rangeFor('shop/web', { own: [], taken: [{ first: (usual?.first ?? 0) + 5, count: 1 }] });
    expect(other).toBeDefined();
    expect(other).not.toEqual(usual);
    expect(rangeFor('shop/web', { own: [], taken: [{ first: 0, count: 2 ** 32 }] })).toBeUndefined();
  });

  it('user namespace ids are those the machine assigns to root, if it does', () => {
    expect(rangeFor('shop/web', { own: [{ first: 500_000, count: 1000 }], taken: [] })).toEqual({
      first: 500_000,
      count: 1000,
    });
    const part = rangeFor('shop/web', { own: [{ first: 500_000, count: 3 * 65_536 }], taken: [] });
    expect(((part?.first ?? 0) - 500_000) % 65_536).toBe(0);
  });

  it('user namespace ids are written in the kernel format', () => {
    const range = { first: 1000, count: 10 };
    expect(mapText(within(range))).toBe('0 1000 10\n');
    expect(mapText(withRoot(50, range))).toBe('0 50 1\n1 1001 9\n');
    expect(mapText([itself(33)])).toBe('33 33 1\n');
  });
});
