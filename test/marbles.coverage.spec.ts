import { describe, expect, it } from 'vitest';
import { coverageOf } from './support/marble/coverage.ts';
import { citable, ROWS } from './support/marble/rows.ts';
import { FACTS } from './support/marble/telling.ts';
import { readStory, storyFiles } from './support/marble/stories.ts';

const stories = storyFiles().map(readStory);

describe('the documented rows', () => {
  it('each documented row has a story', () => {
    expect(coverageOf(ROWS, stories).untold).toEqual([]);
  });

  it('each cited row is documented', () => {
    expect(coverageOf(ROWS, stories).unknown).toEqual([]);
  });

  it('each documented row has its own name', () => {
    const rows = citable(ROWS);
    expect(new Set(rows).size).toBe(rows.length);
  });

  it('each lane of facts occurs in a story', () => {
    const drawn = new Set(stories.flatMap(({ lanes }) => lanes.map(({ name }) => name)));
    expect(FACTS.filter((fact) => !drawn.has(fact))).toEqual([]);
  });

  it('each story has its own title, without a full stop', () => {
    const titles = stories.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.filter((title) => title.endsWith('.'))).toEqual([]);
  });

  it.each(citable(ROWS))('a row is missed without the stories of "%s"', (row) => {
    const others = stories.filter(({ spec }) => !spec.includes(row));
    expect(coverageOf(ROWS, others).untold).toContain(row);
  });

  it('a row that a story makes up is not documented', () => {
    const madeUp = { name: 'x.marble', spec: ['policy: sometimes × 0'] };
    expect(coverageOf(ROWS, [...stories, madeUp]).unknown).toEqual(['x.marble: policy: sometimes × 0']);
  });
});
