// docs/errors.md against the catalogue: every code has its section, with cause, next step and an example as it is printed.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/streams/domain/errors/catalogue.ts';
import type { ErrorCode } from '../../src/streams/domain/errors/error.ts';
import { compareBlock } from '../support/docs/block.ts';
import { ERROR_EXAMPLES, WORDING } from '../support/docs/error-examples.ts';
import { codesTable, errorSection, exampleOf } from '../support/docs/errors.ts';
import { filesBelow } from '../support/docs/pointers.ts';

const FILE = 'docs/errors.md';
const text = readFileSync(FILE, 'utf8');

const isCode = (word: string): word is ErrorCode => Object.hasOwn(CATALOGUE, word);
const CODES = Object.keys(CATALOGUE).filter(isCode);

describe('docs/errors.md', () => {
  it('docs/errors.md lists exactly the codes of the catalogue with their titles, each once', () => {
    const listed = [...text.matchAll(/^### (ERR\d{4}): (.*)$/gm)].map(([, code, title]) => [code, title]);
    expect(listed.toSorted()).toEqual(CODES.map((code) => [code, CATALOGUE[code].title]).toSorted());
  });

  it('docs/errors.md begins with a table of all codes', async () => {
    const { written, generated } = await compareBlock(
      { file: FILE, name: 'codes', asIs: true },
      codesTable(),
    );
    expect(written).toBe(generated);
  });

  it.each(CODES)('docs/errors.md has cause, next step and example of %s', async (code) => {
    const block = { file: FILE, name: code, asIs: true } as const;
    const { written, generated } = await compareBlock(block, errorSection(code));
    expect(written).toBe(generated);
  });
});

const SOURCE = filesBelow(['src'], ['.ts'])
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

describe('the examples of errors', () => {
  it.each(CODES)('the examples of %s begin with the code', (code) => {
    const [first = ''] = exampleOf(code);
    expect(first).toMatch(new RegExp(`^(error |warning )?${code} \\S`));
  });

  it('every code is used outside the catalogue', () => {
    const catalogue = /domain\/(errors\/|declared\/manifest\.ts)/;
    const source = filesBelow(['src'], ['.ts'])
      .filter((file) => !catalogue.test(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    expect(CODES.filter((code) => !source.includes(`'${code}'`))).toEqual([]);
  });

  it.each(WORDING)('the examples of %s use words of the source: %s', (code, words) => {
    expect(JSON.stringify(ERROR_EXAMPLES[code])).toContain(JSON.stringify(words).slice(1, -1));
    expect(SOURCE.includes(words)).toBe(true);
  });
});
