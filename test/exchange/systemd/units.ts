// Imports and exports units in tests, without the command line.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Exported } from '../../../src/exchange/export-format.ts';
import { exportManifest } from '../../../src/exchange/export-manifest.ts';
import { importFiles, type Imported } from '../../../src/exchange/import-files.ts';
import { systemdExport } from '../../../src/exchange/systemd/systemd-export.ts';
import { loadManifest, manifestTree } from '../../../src/manifest/load.ts';
import type { Manifest } from '../../../src/streams/domain/declared/manifest.ts';

const PORTS = { environment: { HOME: '/root' }, uid: process.getuid?.() ?? 0, sys: true };

/** Returns a new directory with these files. */
export const directoryWith = (files: Readonly<Record<string, string>>): string => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-units-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
};

/** Imports files and directories, relative to a directory. */
export const importUnits = async (
  directory: string,
  files: readonly string[] = ['.'],
  project = 'p',
): Promise<Imported> =>
  importFiles({
    ...{ files, directory, project, environment: {} },
    standardInput: () => Promise.resolve(''),
    evaluate: () => Promise.reject(new Error('not evaluated')),
  });

/** Imports these files, which are removed afterwards. */
export const importTexts = async (files: Readonly<Record<string, string>>): Promise<Imported> => {
  const directory = directoryWith(files);
  try {
    return await importUnits(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
};

/** Loads the text of a manifest. Throws with its problems if it does not load. */
export const loadText = (directory: string, text: string): Manifest => {
  const path = join(directory, 'sup.yaml');
  writeFileSync(path, text);
  const { manifest, problems } = loadManifest(path, PORTS);
  if (manifest === undefined)
    throw new Error(problems.map(({ path: at, message }) => `${at}: ${message}`).join('\n'));
  return manifest;
};

/** Exports a manifest to units. */
export const exportText = (directory: string, text: string): Exported => {
  const manifest = loadText(directory, text);
  const root = manifestTree(manifest.path, PORTS);
  if (root === undefined) throw new Error('the manifest has no tree');
  return exportManifest({ manifest, root, format: systemdExport, images: {} });
};
