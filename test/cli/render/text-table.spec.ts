import { describe, expect, it } from 'vitest';
import { columnsOf, cut } from '../../../src/cli/render/text-table.ts';

describe('cutting a text', () => {
  it.each([
    ['plain words', 20, 'plain words'],
    ['plain words', 11, 'plain words'],
    ['plain words', 6, 'plain…'],
    ['plain', 0, ''],
    ['连接被拒绝', 10, '连接被拒绝'],
    ['连接被拒绝', 9, '连接被拒…'],
    ['连接被拒绝', 8, '连接被…'],
    ['ok 🚀🚀', 6, 'ok 🚀…'],
    ['ok 🚀🚀', 5, 'ok …'],
    ['über', 4, 'über'],
    ['u\u0308ber', 4, 'u\u0308ber'],
  ])('%j is cut to %i columns as a terminal counts them', (text, columns, shown) => {
    expect(cut(text, columns)).toBe(shown);
    expect(columnsOf(shown)).toBeLessThanOrEqual(columns);
  });
});
