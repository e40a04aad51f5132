// Files to import: those of `test/exchange/corpus/<format>`, which have the keys of well-known projects, and
// those of packages that are installed on this machine.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface CorpusFile {
  readonly format: string;
  readonly path: string;
}

const CORPUS = 'test/exchange/corpus';

/** Returns the files in directories below the corpus, which are named by their format. */
export const ownFiles = (): readonly CorpusFile[] =>
  readdirSync(CORPUS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: format }) =>
      readdirSync(join(CORPUS, format))
        .sort()
        .map((name) => ({ format, path: join(CORPUS, format, name) })),
    );

const inDirectory = (directory: string, name: RegExp): readonly string[] =>
  existsSync(directory)
    ? readdirSync(directory, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && name.test(entry.name))
        .map(({ parentPath, name: file }) => join(parentPath, file))
        .sort()
    : [];

const INSTALLED: readonly (readonly [format: string, directory: string, name: RegExp])[] = [
  ['systemd', '/lib/systemd/system', /^[^@]+\.service$/],
  ['systemd', '/usr/share/doc', /^[^@]+\.service$/],
  ['crontab', '/etc/cron.d', /^[\w-]+$/],
  ['crontab', '/etc', /^crontab$/],
  ['supervisord', '/etc/supervisor', /\.conf$/],
  ['supervisord', '/usr/share/doc/supervisor', /\.conf$/],
  ['procfile', 'node_modules', /^Procfile(?:\.\w+)?$/],
  ['pm2', 'node_modules', /^ecosystem\.(?:config\.)?(?:json|ya?ml)$/],
  ['compose', 'node_modules', /^(?:docker-)?compose(?:[.-]\w+)*\.ya?ml$/],
  ['process-compose', 'node_modules', /^process-compose\.ya?ml$/],
];

/** Returns files of packages of Debian and npm that are on this machine; none twice. */
export const installedFiles = (): readonly CorpusFile[] => {
  const all = INSTALLED.flatMap(([format, directory, name]) =>
    inDirectory(directory, name).map((path) => ({ format, path })),
  );
  return all.filter(({ path }, at) => all.findIndex((other) => other.path === path) === at);
};
