import { realpathSync } from 'node:fs';
import { replaceFile } from '../../../os/files/replace-file.ts';
import { manifestError } from '../../../streams/domain/errors/error.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import type { LoadPorts } from '../../../manifest/load.ts';
import { migrate as migrated, type Migration } from '../../../manifest/migrate/migration.ts';
import { readManifestText } from '../../../manifest/read/manifest-files.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { type ManifestArgs, whichManifest } from '../../../client/manifests/manifest-paths.ts';
import type { Output } from '../../manifest-argument.ts';

type Migrated = Extract<Migration, { readonly ok: true }>;

const writeBack = (path: string, { text, changed }: Migrated, out: Output): number => {
  if (!changed) {
    out.stderr(`${path}: nothing to migrate\n`);
    return EXIT.done;
  }
  try {
    replaceFile(realpathSync(path), text, { backup: true, lasting: 'name' });
  } catch (error) {
    throw failure({ code: 'ERR0224', file: path, detail: messageOf(error) });
  }
  out.stderr(`${path}: migrated; the old text is in ${realpathSync(path)}.bak\n`);
  return EXIT.done;
};

export const migrateManifest = (
  args: ManifestArgs & { readonly inPlace: boolean },
  out: Output,
  ports: LoadPorts,
): number => {
  const path = whichManifest(args);
  const read = readManifestText(path, ports);
  const migration = read.ok ? migrated(read.text, path) : read;
  if (!migration.ok) throw failure(manifestError(path, migration.problems));
  if (args.inPlace) return writeBack(path, migration, out);
  out.stdout(migration.text);
  return EXIT.done;
};
