// Which rows of the documentation no story tells, and which citations name no row.
import { citable, type Rows } from './rows.ts';
import type { Story } from './story.ts';

export interface Coverage {
  readonly untold: readonly string[];
  /** With the file that cites it. */
  readonly unknown: readonly string[];
}

export const coverageOf = (rows: Rows, stories: readonly Pick<Story, 'name' | 'spec'>[]): Coverage => {
  const known = new Set(citable(rows));
  const told = new Set(stories.flatMap(({ spec }) => spec));
  return {
    untold: [...known].filter((row) => !told.has(row)),
    unknown: stories.flatMap(({ name, spec }) =>
      spec.filter((row) => !known.has(row)).map((row) => `${name}: ${row}`),
    ),
  };
};
