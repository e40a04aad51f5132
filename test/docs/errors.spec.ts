import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/streams/domain/errors/catalogue.ts';

const text = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const sections = new Map(
  text.split(/^### /m).flatMap((section) => {
    const code = /^(ERR\d{4}): /.exec(section)?.[1];
    return code === undefined ? [] : [[code, section] as const];
  }),
);

describe('docs/errors.md', () => {
  it('lists exactly the codes of the catalogue, each once', () => {
    const listed = [...text.matchAll(/^### (ERR\d{4}): /gm)].map(([, code]) => code);
    expect([...listed].sort()).toEqual(Object.keys(CATALOGUE).sort());
  });

  it.each(Object.entries(CATALOGUE))(
    'tells title, cause and next step of %s',
    (code, { title, cause, next }) => {
      const section = sections.get(code) ?? '';
      expect(section).toContain(`${code}: ${title}\n`);
      expect(section).toContain(`- Cause: ${cause}.\n`);
      expect(section).toContain(`- Next step: ${next}.\n`);
    },
  );
});
