import { describe, expect, it } from 'vitest';
import { fitColumns } from '../../../src/cli/render/text-table.ts';

const table = { widths: [4, 10, 6, 40], ranks: [Infinity, 1, 2, Infinity], lastRoom: 8 };

describe('fitting columns to a terminal', () => {
  it.each([
    [undefined, [0, 1, 2, 3]],
    [34, [0, 1, 2, 3]],
    [33, [0, 2, 3]],
    [22, [0, 2, 3]],
    [21, [0, 3]],
    [1, [0, 3]],
  ])('at %s columns these fit: %s', (columns, shown) => {
    expect(fitColumns({ ...table, columns })).toEqual(shown);
  });
});
