import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { brokenIn, filesBelow, linkTo, pointersIn } from '../support/docs/pointers.ts';
import { ROWS, rowsIn } from '../support/marble/rows.ts';

const files = filesBelow(
  ['src', 'test', 'marbles', 'bench', 'scripts'],
  ['.ts', '.js', '.mjs', '.sh', '.marble', '.md'],
);
const texts = files.map((file) => [file, readFileSync(file, 'utf8')] as const);

/** A reference to a page that this repository does not have. */
const ELSEWHERE = new RegExp(
  ['specifi' + 'cation', 'spec/' + 'gaps', '\\bgaps (§|\\d)', '§ ?\\d'].join('|'),
  'i',
);

describe('pointers into the documentation', () => {
  it('pointers lead somewhere, from any file', () => {
    const broken = texts.flatMap(([file, text]) =>
      pointersIn(text)
        .flatMap(brokenIn)
        .map((what) => `${file}: ${what}`),
    );
    expect(broken).toEqual([]);
  });

  it('pointers are many', () => {
    expect(texts.flatMap(([, text]) => pointersIn(text)).length).toBeGreaterThan(100);
  });

  it('pointers lead to this repository only', () => {
    const pages = filesBelow(['docs'], ['.md']).map((page) => [page, readFileSync(page, 'utf8')] as const);
    expect([...texts, ...pages].filter(([, text]) => ELSEWHERE.test(text)).map(([file]) => file)).toEqual([]);
  });

  it('pointers are found across the lines of a comment, with all their headings', () => {
    const comment = ['// One thing (`docs/states.md`, "States",', '// "The table"), another: docs/hooks.md.'];
    expect(pointersIn(comment.join('\n'))).toEqual([
      { page: 'docs/states.md', headings: ['States', 'The table'] },
      { page: 'docs/hooks.md', headings: [] },
    ]);
  });

  it('a broken pointer is found by this test', () => {
    const nowhere = 'docs/' + 'nowhere.md';
    expect(pointersIn(`see ${nowhere}, "Here"`).flatMap(brokenIn)).toEqual([nowhere]);
    const page = 'docs/errors.md';
    expect(brokenIn({ page, headings: ['ERR0101', 'Nothing'] })).toEqual([`${page}, "Nothing"`]);
  });
});

describe('the rows of stories', () => {
  it.each([...new Set(rowsIn(ROWS).map(({ place }) => place))])(
    'the rows of stories are listed in %s',
    (place) => {
      const [pointer, ...others] = pointersIn(place);
      if (pointer === undefined) throw new Error(`${place} is no pointer`);
      expect(others).toEqual([]);
      expect(pointer.headings).toHaveLength(1);
      expect(brokenIn(pointer)).toEqual([]);
    },
  );

  it('the rows of stories are linked from the page of states', () => {
    expect(linkTo({ page: 'docs/manifest.md', headings: ['depends_on'] })).toBe(
      '[depends_on](manifest.md#depends_on)',
    );
    expect(linkTo({ page: 'docs/errors.md', headings: ['ERR0101'] })).toBe(
      '[ERR0101](errors.md#err0101-exited-unsuccessfully)',
    );
  });
});
