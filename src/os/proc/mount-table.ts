// The mounts of a process, from `/proc/<pid>/mountinfo` (proc_pid_mountinfo(5)).
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import type { ProcessMount } from '../../streams/domain/service/process-confinement.ts';

/**
 * Decodes a text in which the kernel wrote special characters as octal numbers, such as `\040` for a space.
 */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));

/** Returns the mount that a line describes; an empty list if the line is incomplete. */
const mountOf = (line: string): readonly ProcessMount[] => {
  const fields = line.split(' ');
  const [path, own] = [fields[4], fields[5]];
  // A line has a variable number of optional fields. A hyphen marks their end.
  const [type, source, ofFiles] = fields.slice(fields.indexOf('-', 6)).slice(1);
  if (path === undefined || own === undefined || type === undefined) return [];
  const options = [own, ofFiles].filter((text) => text !== undefined).join(',');
  const isReadOnly = options.split(',').includes('ro');
  return [{ path: unescaped(path), type, source: unescaped(source ?? ''), isReadOnly, options }];
};

/** Returns the mounts in a mount table, in its order. */
export const mountsIn = (table: string): readonly ProcessMount[] => table.split('\n').flatMap(mountOf);

/** Returns the mounts that a process sees. Throws if they cannot be read. */
export const mountsOf = (pid: number | 'self'): readonly ProcessMount[] =>
  mountsIn(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'));

/**
 * The directories that `isolation.protect` covers or makes read-only. On some machines some of them are
 * links.
 */
const PLACES = ['/home', '/root', '/tmp', '/var/tmp', '/usr', '/etc'];

/** Returns those of the directories that are links for this process, with their targets. */
const linkedPlaces = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    PLACES.filter((place) => existsSync(place))
      .map((place) => [place, realpathSync(place)] as const)
      .filter(([place, target]) => place !== target),
  );

/**
 * Returns the mounts. A mount at the target of a link in `places` is listed also with the path of the link.
 */
export const withLinkedPlaces = (
  mounts: readonly ProcessMount[],
  places: Readonly<Record<string, string>> = linkedPlaces(),
): readonly ProcessMount[] =>
  mounts.flatMap((mount) => [
    mount,
    ...Object.entries(places).flatMap(([path, target]) =>
      mount.path === target ? [{ ...mount, path }] : [],
    ),
  ]);
