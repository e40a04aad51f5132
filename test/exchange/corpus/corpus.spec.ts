// Each file of the corpus becomes a manifest that loads, and what it loses is recorded in `losses.txt`. To
// write that again: `UPDATE_DOCS=1 npx vitest run --project unit test/exchange/corpus`.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { IMPORT_FORMATS } from '../../../src/exchange/import-formats.ts';
import { type CorpusFile, ownFiles } from './corpus-files.ts';
import { outcomeOf } from './imported-corpus.ts';

const RECORD = 'test/exchange/corpus/losses.txt';

const FILES = ownFiles().filter(({ format }) => IMPORT_FORMATS.some(({ name }) => name === format));

const report = async (file: CorpusFile): Promise<string> => {
  const outcome = await outcomeOf(file);
  if (outcome.tag === 'refused') return `${file.path}: ${outcome.code}\n`;
  const { services, losses } = outcome.imported;
  const rows = losses.map(
    ({ effect, service = '-', key, place, message }) =>
      `  ${effect} ${service} ${key}:${place.line} ${message.replaceAll(process.cwd(), '.')}\n`,
  );
  return `${file.path}: ${services} services\n${rows.join('')}`;
};

describe('the corpus of files of other programs', () => {
  it.each(FILES.map((file) => [file.path, file] as const))(
    '%s becomes a manifest that loads',
    async (_, file) => {
      const outcome = await outcomeOf(file);
      expect(outcome).toMatchObject({ tag: 'imported', errors: [] });
    },
  );

  it('loses what is recorded in losses.txt, and nothing else', async () => {
    const reports: string[] = [];
    for (const file of FILES) reports.push(await report(file));
    const found = reports.join('');
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(RECORD, found);
    expect(found).toBe(readFileSync(RECORD, 'utf8'));
  });
});
