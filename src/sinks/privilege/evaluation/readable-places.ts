// The files that the evaluator may read: Node with its libraries, the program of the evaluator, the
// processors and the memory of the machine, and what is in the directory of the file.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { FileAccess } from '../../../streams/launch/launch-step.ts';

interface Grant {
  readonly path: string;
  readonly grant: FileAccess;
}

/** Files that Node reads for `os.cpus()` and `os.totalmem()`, and those of the dynamic loader. */
const OF_MACHINE: readonly string[] = [
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/stat',
  '/sys/devices/system/cpu',
  '/etc/ld.so.cache',
];

/** The loader of programs, which the kernel executes to start Node. */
const LOADER = /\/ld-[^/]*$|\/ld\.so[^/]*$/;

/** Returns the libraries that this process has loaded, and Node itself, as regular files. */
const ownLibraries = (maps = readFileSync('/proc/self/maps', 'utf8')): readonly string[] => [
  ...new Set(
    maps
      .split('\n')
      .map((line) => /^\S+ r.x. \S+ \S+ \d+ +(\/.+?)$/.exec(line)?.[1])
      .filter((path) => path !== undefined)
      .filter((path) => !path.endsWith(' (deleted)') && existsSync(path)),
  ),
];

/** Returns the directory of packages that a file is in; otherwise the directory of the file. */
const packagesOf = (file: string): string => {
  const at = file.indexOf(`${sep}node_modules${sep}`);
  return at === -1 ? dirname(file) : join(file.slice(0, at), 'node_modules');
};

const isWithin = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}${sep}`);

const MOST_ENTRIES = 10_000;

/** Names of a directory that may be read: no hidden ones, where secrets are, but env files. */
const mayBeRead = (name: string): boolean => !name.startsWith('.') || /^\.env(?:\.|$)/.test(name);

/**
 * Returns the files and directories directly in `directory`. Links are left out, because they may lead
 * elsewhere, and so is what contains a place in `except` or is in one.
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
