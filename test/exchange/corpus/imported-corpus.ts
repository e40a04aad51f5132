// Imports one file of a corpus, and loads the manifest that comes of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Imported, importFiles } from '../../../src/exchange/import-files.ts';
import { loadManifest } from '../../../src/manifest/load.ts';
import { Failure } from '../../../src/streams/views/errors/command-failure.ts';
import type { CorpusFile } from './corpus-files.ts';

/** What an import came to: a manifest, or a typed error. */
export type Outcome =
  | { readonly tag: 'imported'; readonly imported: Imported; readonly errors: readonly string[] }
  | { readonly tag: 'refused'; readonly code: string };

/** Returns the errors of a manifest; warnings do not count. */
const errorsIn = (manifest: string): readonly string[] => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-corpus-'));
  const path = join(directory, 'sup.yaml');
  try {
    writeFileSync(path, manifest, { mode: 0o600 });
    const { problems } = loadManifest(path, {
      environment: { HOME: '/root' },
      uid: process.getuid?.() ?? 0,
      sys: true,
    });
    return problems
      .filter(({ severity }) => severity === 'error')
      .map(({ code, path: at, message }) => `${code} ${at}: ${message}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
};

/** Returns the files to import together: a timer needs the service that it starts. */
const withPartner = (path: string): readonly string[] =>
  path.endsWith('.timer') ? [path, path.replace(/\.timer$/, '.service')] : [path];

/** Resolves to what becomes of a file. Rejects only with an error that is not typed. */
export const outcomeOf = async ({ format, path }: CorpusFile): Promise<Outcome> => {
  try {
    const imported = await importFiles({
      ...{ files: withPartner(path), format, directory: process.cwd(), environment: {} },
      standardInput: () => Promise.reject(new Error('standard input is not read')),
      evaluate: () => Promise.reject(new Error('nothing is evaluated')),
    });
    return { tag: 'imported', imported, errors: errorsIn(imported.manifest) };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { tag: 'refused', code: thrown.document.code };
  }
};
