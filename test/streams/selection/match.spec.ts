import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fits, isPattern } from '../../../src/streams/selection/match.ts';

describe('a name pattern', () => {
  it.each([
    ['web', 'web', true],
    ['web', 'webs', false],
    ['web', 'we', false],
    ['web-*', 'web-12', true],
    ['web-*', 'web-', true],
    ['web-*', 'web', false],
    ['*', '', true],
    ['*-worker', 'mail-worker', true],
    ['*-worker', 'mail-worker-2', false],
    ['a*b*c', 'aXbYbZc', true],
    ['a*b*c', 'aXcYbZ', false],
    ['w?b', 'web', true],
    ['w?b', 'wb', false],
    ['**', 'x', true],
    ['a.c', 'abc', false],
  ])('the name pattern %s and %s: %s', (pattern, text, whether) => {
    expect(fits(pattern, text)).toBe(whether);
  });

  it('a name pattern matches like the equivalent regular expression', () => {
    const letters = fc.constantFrom('a', 'b', '*', '?');
    const text = fc.array(fc.constantFrom('a', 'b'), { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 8 }), text, (parts, name) => {
        const expression = parts.map((part) => (part === '*' ? '.*' : part === '?' ? '.' : part)).join('');
        expect(fits(parts.join(''), name)).toBe(new RegExp(`^${expression}$`).test(name));
      }),
      { seed: 3 },
    );
  });

  it('a name pattern takes time linear in its length', () => {
    const began = performance.now();
    expect(fits('a*'.repeat(2_000) + 'b', 'a'.repeat(2_100))).toBe(false);
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it('a name pattern is recognized by its wildcards', () => {
    expect([isPattern('web-*'), isPattern('w?b'), isPattern('web.1')]).toEqual([true, true, false]);
  });
});
