// `validate` is `start` without its last step: over the whole corpus of bad manifests both refuse with the same problems.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect } from 'vitest';
import { loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, errorOf, started } from '../support/witnesses.ts';
import type { ProblemsDocument } from '../../../src/streams/wire/documents/basic-documents.ts';

const corpus = (kind: 'bad' | 'good'): readonly string[] =>
  readdirSync(join('test/corpus', kind))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => resolve('test/corpus', kind, name));

/** How many commands run side by side. */
const ABREAST = 4;

const eachOf = async (files: readonly string[], look: (file: string) => Promise<void>): Promise<void> => {
  const waiting = [...files];
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await look(file);
  };
  await Promise.all(Array.from({ length: ABREAST }, work));
};

const validated = async (stage: Stage, file: string): Promise<ProblemsDocument> =>
  JSON.parse((await stage.sup('validate', '-c', file, '--json')).stdout) as ProblemsDocument;

describe('the corpus of manifests', () => {
  scenario(
    'invalid manifests of the corpus are refused by validate and by a running supervisor for the same reasons',
    async (stage) => {
      await started(stage, loose({ still: steady() }));
      const files = corpus('bad');
      expect(files.length).toBeGreaterThan(40);
      await eachOf(files, async (file) => {
        const { valid, problems } = await validated(stage, file);
        const start = await stage.sup('start', '-c', file, '--daemonize', '--json');
        expect({ file, valid, status: start.status }).toEqual({ file, valid: false, status: 1 });
        expect({ file, problems: errorOf(start).problems }).toEqual({ file, problems });
      });
      await agree(stage, { still: 'running' });
    },
  );

  scenario('valid manifests of the corpus are accepted by validate', async (stage) => {
    const files = corpus('good');
    expect(files.length).toBeGreaterThan(5);
    await eachOf(files, async (file) => {
      const { valid, problems } = await validated(stage, file);
      expect({ file, valid, errors: problems.filter(({ severity }) => severity === 'error') }).toEqual({
        file,
        valid: true,
        errors: [],
      });
    });
  });
});
