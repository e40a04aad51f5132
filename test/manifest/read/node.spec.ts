import { describe, expect, it } from 'vitest';
import { chainOf, positionOf, sourceFile } from '../../../src/manifest/read/node.ts';

const root = sourceFile('/a.yaml', 'one\r\ntwo\n\nfour');

describe('a position', () => {
  it.each([
    [0, { line: 1, column: 1, source: 'one' }],
    [2, { line: 1, column: 3, source: 'one' }],
    [5, { line: 2, column: 1, source: 'two' }],
    [9, { line: 3, column: 1, source: '' }],
    [10, { line: 4, column: 1, source: 'four' }],
    [14, { line: 4, column: 5, source: 'four' }],
  ])('the position at offset %i is %o', (offset, expected) => {
    expect(positionOf({ file: root, offset })).toEqual(expected);
  });

  it('a position omits a source line that is too long to show', () => {
    const file = sourceFile('/l.yaml', 'x'.repeat(5000));
    expect(positionOf({ file, offset: 4000 })).toEqual({ line: 1, column: 4001 });
  });
});

describe('the include chain', () => {
  it('the include chain is empty in the root manifest', () => {
    expect(chainOf(root)).toBeUndefined();
  });

  it('the include chain names each file with the place of the next include', () => {
    const middle = sourceFile('/b.yaml', 'x: y', { file: root, offset: 6 });
    const inner = sourceFile('/c.yaml', '', { file: middle, offset: 3 });
    expect(chainOf(inner)).toBe('/a.yaml:2:2 → /b.yaml:1:4 → /c.yaml');
  });
});
