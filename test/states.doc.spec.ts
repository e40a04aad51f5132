import { describe, expect, it } from 'vitest';
import { compareBlock } from './support/docs/block.ts';
import { MOVES } from './support/docs/moves.ts';
import { movesInUse, stateMeanings, stateStories, stateTable, storiesByRow } from './support/docs/states.ts';

const FILE = 'docs/states.md';

describe('docs/states.md', () => {
  it.each([
    ['meanings', stateMeanings],
    ['table', stateTable],
    ['stories', stateStories],
    ['rows', storiesByRow],
  ])('has the %s as the code has them', async (name, generate) => {
    const { written, generated } = await compareBlock({ file: FILE, name }, generate());
    expect(written).toBe(generated);
  });

  it('has a sentence for every move of the table, and for no other', () => {
    expect([...movesInUse()].sort()).toEqual(Object.keys(MOVES).sort());
  });
});
