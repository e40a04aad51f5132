// Landlock: landlock(7). The C library has no functions for it; the numbers of the calls are the same on all
// machines.
import { cFunction, type Libc } from './libc.ts';
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

/**
 * The Landlock version of this kernel, from 1 on, which defines the known rights. Throws ENOSYS or EOPNOTSUPP
 * without Landlock.
 */
export const landlockAbi = (libc: Libc): number =>
  libc.call(CREATE, SYS_CREATE_RULESET, null, 0, ASK_VERSION);

/** Bits of the rights to files and ports that rules must grant, and of scopes. */
export interface Handled {
  readonly files: bigint;
  readonly ports: bigint;
  readonly scopes: bigint;
}

/**
 * Returns the descriptor of a ruleset. An older kernel accepts the longer structure if what it does not know
 * is zero.
 */
export const createRuleset = (libc: Libc, { files, ports, scopes }: Handled): number => {
  const attributes = words64(files, ports, scopes);
  return libc.call(CREATE, SYS_CREATE_RULESET, attributes, attributes.length, 0);
};

/** Adds a rule. `path`: a descriptor of a file or a directory, with everything below it. */
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

/** Restricts this thread for good. Needs `no_new_privs`, or CAP_SYS_ADMIN. */
export const restrictSelf = (libc: Libc, ruleset: number): void => {
  libc.call(RESTRICT, SYS_RESTRICT_SELF, ruleset, 0);
};
