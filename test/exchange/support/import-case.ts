// Imports files of a test and loads the manifest that comes of them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Imported, importFiles } from '../../../src/exchange/import-files.ts';
import { loadManifest } from '../../../src/manifest/load.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';

export interface ImportCase {
  /** Texts by their paths in the directory of the case. */
  readonly files: Readonly<Record<string, string>>;
  /** The paths that are imported; absent: the first of `files`. */
  readonly import?: readonly string[];
  readonly format?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ImportedCase extends Imported {
  readonly directory: string;
  /** `changed` and `lost`, with key and line. */
  readonly rows: readonly string[];
}

/** Writes the files into a new directory, which is removed after the test. */
export const writtenFiles = (files: ImportCase['files']): string => {
  const directory = mkdtempSync(join(tmpdir(), 'import-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
};

export const importedFrom = async (
  directory: string,
  { files, import: paths = Object.keys(files).slice(0, 1), format, environment = {} }: ImportCase,
): Promise<ImportedCase> => {
  const imported = await importFiles({
    ...{ files: paths, format, directory, environment, out: 'sup.yaml' },
    standardInput: () => Promise.reject(new Error('nothing is on standard input')),
    evaluate: () => Promise.reject(new Error('nothing is evaluated')),
  });
  const rows = imported.losses.map(
    ({ effect, service = '-', key, place, message }) =>
      `${effect} ${service} ${key}:${place.line} ${message.replaceAll(directory, '.')}`,
  );
  return { ...imported, directory, rows };
};

/** Imports the files from a new directory. */
export const importCase = (plan: ImportCase): Promise<ImportedCase> =>
  importedFrom(writtenFiles(plan.files), plan);

/** Returns the services of the manifest. Throws if it has a problem that is no warning. */
export const servicesIn = (
  { manifest, directory }: Pick<ImportedCase, 'manifest' | 'directory'>,
  environment: ImportCase['environment'] = {},
): readonly ServiceSpec[] => {
  const path = join(directory, 'sup.yaml');
  writeFileSync(path, manifest);
  const loaded = loadManifest(path, { environment, uid: process.getuid?.() ?? 0, sys: true });
  if (loaded.manifest === undefined)
    throw new Error(
      `${loaded.problems.map(({ path: at, message }) => `${at}: ${message}`).join('\n')}\n${manifest}`,
    );
  return loaded.manifest.services;
};
