import { expect, it } from 'vitest';
import { applyEdits } from '../../../src/manifest/migrate/move-into-projects.ts';

it('edits are applied by the offsets of the original text, in any order', () => {
  const edits = [
    { start: 4, end: 7, text: 'TWO' },
    { start: 0, end: 0, text: '> ' },
    { start: 0, end: 3, text: '' },
    { start: 11, end: 11, text: '!' },
  ];
  expect(applyEdits('one two six', edits)).toBe('>  TWO six!');
});
