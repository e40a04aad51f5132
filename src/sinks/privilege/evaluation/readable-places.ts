// The files that the evaluator may read: Node and its libraries, the evaluator's own program, the files that
// describe processors and memory, and the contents of the directory of the evaluated file.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { FileAccess } from '../../../streams/launch/launch-step.ts';

interface Grant {
  readonly path: string;
  readonly grant: FileAccess;
}

/** Files that Node reads for `os.cpus()` and `os.totalmem()`, and the cache of the dynamic loader. */
const OF_MACHINE: readonly string[] = [
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/stat',
  '/sys/devices/system/cpu',
  '/etc/ld.so.cache',
];

/** Matches the path of the dynamic loader. The kernel executes the loader to start Node. */
const LOADER = /\/ld-[^/]*$|\/ld\.so[^/]*$/;

/** Returns the paths of the libraries that this process has loaded, and of Node itself. */
const ownLibraries = (maps = readFileSync('/proc/self/maps', 'utf8')): readonly string[] => [
  ...new Set(
    maps
      .split('\n')
      .map((line) => /^\S+ r.x. \S+ \S+ \d+ +(\/.+?)$/.exec(line)?.[1])
      .filter((path) => path !== undefined)
      .filter((path) => !path.endsWith(' (deleted)') && existsSync(path)),
  ),
];

/**
 * Returns the outermost `node_modules` directory that contains the file, or else the file's own directory.
 */
const packagesOf = (file: string): string => {
  const at = file.indexOf(`${sep}node_modules${sep}`);
  return at === -1 ? dirname(file) : join(file.slice(0, at), 'node_modules');
};

const isWithin = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}${sep}`);

const MOST_ENTRIES = 10_000;

/** True if an entry with this name may be read: hidden files often hold secrets, but `.env` is needed. */
const mayBeRead = (name: string): boolean => !name.startsWith('.') || /^\.env(?:\.|$)/.test(name);

/**
 * Returns the paths of the readable files and directories in `directory`, without
 * - symbolic links, because they may lead to other directories;
 * - paths that contain a path of `except`, or lie in one.
 */
const entriesOf = (directory: string, except: readonly string[]): readonly string[] =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => (entry.isFile() || entry.isDirectory()) && mayBeRead(entry.name))
    .slice(0, MOST_ENTRIES)
    .map(({ name }) => join(directory, name))
    .filter((path) => !except.some((place) => isWithin(place, path) || isWithin(path, place)));

interface Places {
  /** The absolute directory of the file, with links resolved. */
  readonly directory: string;
  /** The program of the evaluator. */
  readonly evaluator: string;
  /** The native addon that the evaluator loads. */
  readonly addon: string;
  /** Directories that stay unreadable. */
  readonly except: readonly string[];
}

export const readablePlaces = ({ directory, evaluator, addon, except }: Places): readonly Grant[] => {
  const node = realpathSync(process.execPath);
  const libraries = ownLibraries().filter((path) => path !== node);
  const readable = [
    ...libraries.filter((path) => !LOADER.test(path)),
    ...OF_MACHINE.filter((path) => existsSync(path)),
    ...[evaluator, join(dirname(evaluator), 'package.json'), packagesOf(addon)],
    ...entriesOf(directory, except),
  ];
  const executable = [node, ...libraries.filter((path) => LOADER.test(path))];
  return [
    ...executable.map((path): Grant => ({ path, grant: 'execute' })),
    ...readable.map((path): Grant => ({ path, grant: 'read' })),
  ];
};
