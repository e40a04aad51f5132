// Imports files of a directory of their own, as `sup import` does, and loads the manifest that it made.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFiles, type Imported } from '../../../src/exchange/import-files.ts';
import { loadManifest } from '../../../src/manifest/load.ts';
import type { LoadResult } from '../../../src/streams/domain/declared/manifest.ts';
import { directoryWith, portsWith } from '../../manifest/loading.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

interface Request {
  /** The files to import; absent: the first one. */
  readonly names?: readonly string[];
  readonly format?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

interface Result extends Imported {
  readonly directory: string;
  readonly loaded: LoadResult;
  /** `effect service key:line message` of each loss. */
  readonly told: readonly string[];
}

/** Resolves to what the import of these files gives, with the manifest loaded. */
export const imported = async (
  files: Files,
  { names = Object.keys(files).slice(0, 1), format, environment = {} }: Request = {},
): Promise<Result> => {
  const directory = directoryWith(files);
  const result = await importFiles({
    ...{ files: names, directory, format, environment },
    standardInput: () => Promise.reject(new Error('standard input is not read')),
    evaluate: () => Promise.reject(new Error('nothing is evaluated')),
  });
  const path = join(directory, 'sup.yaml');
  writeFileSync(path, result.manifest, { mode: 0o644 });
  const told = result.losses.map(
    ({ effect, service = '-', key, place, message }) =>
      `${effect} ${service} ${key}:${place.line} ${message}`,
  );
  return { ...result, directory, told, loaded: loadManifest(path, portsWith({ environment })) };
};

/** Resolves to the text of the error with which the import of these files is refused. */
export const importRefusal = async (files: Files, request: Request = {}): Promise<string> => {
  try {
    await imported(files, request);
    return 'imported';
  } catch (thrown) {
    return String(thrown);
  }
};
