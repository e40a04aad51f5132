// System calls of Landlock (landlock(7)). Their numbers are the same on all architectures.
import { errnoOf } from '../errno.ts';
import { cFunction, type Libc, openLibc } from './libc.ts';
import { words64 } from './c-memory.ts';

const CREATE = cFunction('long', 'syscall', 'long', 'pointer', 'ulong', 'uint');
const ADD_RULE = cFunction('long', 'syscall', 'long', 'int', 'int', 'pointer', 'uint');
const RESTRICT = cFunction('long', 'syscall', 'long', 'int', 'uint');

const SYS_CREATE_RULESET = 444;
const SYS_ADD_RULE = 445;
const SYS_RESTRICT_SELF = 446;
const ASK_VERSION = 1;
const PATH_BENEATH = 1;
const NET_PORT = 2;

/** Returns the kernel's Landlock version, from 1 on. Throws ENOSYS or EOPNOTSUPP without Landlock. */
export const landlockAbi = (libc: Libc): number =>
  libc.call(CREATE, SYS_CREATE_RULESET, null, 0, ASK_VERSION);

/** Returns the kernel's Landlock version; 0: it has no Landlock; `undefined`: no call can be made. */
export const landlockAbiHere = (): number | undefined => {
  const opened = openLibc();
  if (opened.tag === 'absent') return undefined;
  try {
    return landlockAbi(opened.libc);
  } catch (error) {
    if (errnoOf(error) === 'ENOSYS' || errnoOf(error) === 'EOPNOTSUPP') return 0;
    throw error;
  }
};

/**
 * What a ruleset restricts, as bits. Rights to files and ports are denied unless a rule grants them. Scopes
 * restrict contacts with processes outside.
 */
export interface Handled {
  readonly files: bigint;
  readonly ports: bigint;
  readonly scopes: bigint;
}

/** Creates a ruleset and returns its descriptor. Fields that an older kernel does not know must be 0. */
export const createRuleset = (libc: Libc, { files, ports, scopes }: Handled): number => {
  const attributes = words64(files, ports, scopes);
  return libc.call(CREATE, SYS_CREATE_RULESET, attributes, attributes.length, 0);
};

/**
 * Grants rights on a file, or on a directory with everything below it. `path`: a descriptor of this file or
 * directory.
 */
export const addRule = (
  libc: Libc,
  ruleset: number,
  { path, rights }: { readonly path: number; readonly rights: bigint },
): void => {
  const attributes = Buffer.alloc(12);
  attributes.writeBigUInt64LE(rights);
  attributes.writeInt32LE(path, 8);
  libc.call(ADD_RULE, SYS_ADD_RULE, ruleset, PATH_BENEATH, attributes, 0);
};

export const addPortRule = (
  libc: Libc,
  ruleset: number,
  { port, rights }: { readonly port: number; readonly rights: bigint },
): void => {
  libc.call(ADD_RULE, SYS_ADD_RULE, ruleset, NET_PORT, words64(rights, BigInt(port)), 0);
};

/** Restricts this thread for good. Needs `no_new_privs` or CAP_SYS_ADMIN. */
export const restrictSelf = (libc: Libc, ruleset: number): void => {
  libc.call(RESTRICT, SYS_RESTRICT_SELF, ruleset, 0);
};
