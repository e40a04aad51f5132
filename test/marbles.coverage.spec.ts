import { describe, expect, it } from 'vitest';
import { coverageOf } from './support/marble/coverage.ts';
import { citable, ROWS } from './support/marble/rows.ts';
import { FACTS } from './support/marble/telling.ts';
import { readStory, storyFiles } from './support/marble/stories.ts';

const stories = storyFiles().map(readStory);

describe('the rows of the documentation', () => {
  it('are all told by a story', () => {
    expect(coverageOf(ROWS, stories).untold).toEqual([]);
  });

  it('are all that stories cite', () => {
    expect(coverageOf(ROWS, stories).unknown).toEqual([]);
  });

  it('have names of their own', () => {
    const rows = citable(ROWS);
    expect(new Set(rows).size).toBe(rows.length);
  });

  it('are told in every lane of facts', () => {
    const drawn = new Set(stories.flatMap(({ lanes }) => lanes.map(({ name }) => name)));
    expect(FACTS.filter((fact) => !drawn.has(fact))).toEqual([]);
  });

  it('are told by stories with titles of their own, that end without a full stop', () => {
    const titles = stories.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.filter((title) => title.endsWith('.'))).toEqual([]);
  });

  it.each(citable(ROWS))('would be missed without the stories of "%s"', (row) => {
    const others = stories.filter(({ spec }) => !spec.includes(row));
    expect(coverageOf(ROWS, others).untold).toContain(row);
  });

  it('are not what a story makes up', () => {
    const madeUp = { name: 'x.marble', spec: ['policy: sometimes × 0'] };
    expect(coverageOf(ROWS, [...stories, madeUp]).unknown).toEqual(['x.marble: policy: sometimes × 0']);
  });
});
