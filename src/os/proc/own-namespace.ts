// The user namespace of this process, from `/proc` (user_namespaces(7), namespaces(7)).
import { readlinkSync } from 'node:fs';
import { textIfThere } from '../files/read-text.ts';
import { idsMapped } from './id-map.ts';

interface OwnNamespace {
  /** True for the machine's own namespace. Only its root has the rights of root on the whole machine. */
  readonly isInitial: boolean;
  /** How many users are mapped into it. */
  readonly users: number;
  readonly groups: number;
  /** True if its processes may call setgroups(2). */
  readonly maySetGroups: boolean;
}

/** PROC_USER_INIT_INO of the kernel. */
const INITIAL = 'user:[4026531837]';

const textOf = (name: string): string | undefined => {
  const text = textIfThere(`/proc/self/${name}`);
  return typeof text === 'string' ? text : undefined;
};

/** A kernel without user namespaces has no map: all ids count. */
const mappedIn = (name: string): number => idsMapped(textOf(name) ?? `0 0 ${2 ** 32 - 1}`);

export const ownNamespace = (): OwnNamespace => ({
  isInitial: textOf('uid_map') === undefined || readlinkSync('/proc/self/ns/user') === INITIAL,
  users: mappedIn('uid_map'),
  groups: mappedIn('gid_map'),
  maySetGroups: textOf('setgroups')?.trim() !== 'deny',
});
