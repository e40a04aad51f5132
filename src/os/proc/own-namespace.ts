// The user namespace that this process is in, as user_namespaces(7) and namespaces(7) have it told in `/proc`.
import { readlinkSync } from 'node:fs';
import { textIfThere } from '../files/read-text.ts';
import { idsMapped } from './id-map.ts';

interface OwnNamespace {
  /** The machine's own: what the kernel asks of the whole machine's root only root of this one may do. */
  readonly isInitial: boolean;
  /** How many users and groups there are in it. */
  readonly users: number;
  readonly groups: number;
  /** Whether processes in it may list groups of theirs (setgroups(2)). */
  readonly maySetGroups: boolean;
}

/** PROC_USER_INIT_INO of the kernel. */
const INITIAL = 'user:[4026531837]';

const textOf = (name: string): string | undefined => {
  const text = textIfThere(`/proc/self/${name}`);
  return typeof text === 'string' ? text : undefined;
};

/** A kernel without user namespaces maps nothing, and has them all. */
const mappedIn = (name: string): number => idsMapped(textOf(name) ?? `0 0 ${2 ** 32 - 1}`);

export const ownNamespace = (): OwnNamespace => ({
  isInitial: textOf('uid_map') === undefined || readlinkSync('/proc/self/ns/user') === INITIAL,
  users: mappedIn('uid_map'),
  groups: mappedIn('gid_map'),
  maySetGroups: textOf('setgroups')?.trim() !== 'deny',
});
