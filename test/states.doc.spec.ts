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
  ])('docs/states.md has the %s of the code', async (name, generate) => {
    const { written, generated } = await compareBlock({ file: FILE, name }, generate());
    expect(written).toBe(generated);
  });

  it('docs/states.md has a sentence for each transition of the table, and for no other', () => {
    expect([...movesInUse()].sort()).toEqual(Object.keys(MOVES).sort());
  });
});
