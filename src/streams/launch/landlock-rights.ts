// The access rights of Landlock (landlock(7)): the rights that a version of Linux knows, and the rights that
// a rule grants.
import type { PortsSpec } from '../domain/declared/spec.ts';
import type { FileAccess } from './launch-step.ts';

const EXECUTE = 1n << 0n;
const WRITE_FILE = 1n << 1n;
const READ_FILE = 1n << 2n;
const READ_DIR = 1n << 3n;
/** The rights to create character devices and block devices. */
export const MAKING_DEVICES = (1n << 6n) | (1n << 11n);
const REFER = 1n << 13n;
const TRUNCATE = 1n << 14n;
const IOCTL_DEV = 1n << 15n;

/** The rights of the first ABI version of Landlock. */
const FIRST = (1n << 13n) - 1n;
/** The rights that a rule for a file may grant. All other rights are only for directories. */
const OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;

const ADDED: readonly { readonly since: number; readonly right: bigint; readonly lost: string }[] = [
  { since: 2, right: REFER, lost: 'files cannot be moved from one directory to another at all' },
  { since: 3, right: TRUNCATE, lost: 'truncating a file is not restricted' },
  { since: 5, right: IOCTL_DEV, lost: 'ioctl on devices is not restricted' },
];

/** The first ABI version that restricts TCP ports, and the Linux release that has it. */
export const PORTS_SINCE = { abi: 4, release: '6.7' } as const;
const BIND_TCP = 1n << 0n;
const CONNECT_TCP = 1n << 1n;

interface PortRule {
  readonly port: number;
  readonly rights: bigint;
}

/**
 * Returns bits for binding and connecting. A bit is set if the service declares ports for this use, so that
 * Landlock restricts it.
 */
export const handledPorts = ({ bind, connect }: PortsSpec): bigint =>
  (bind === undefined ? 0n : BIND_TCP) | (connect === undefined ? 0n : CONNECT_TCP);

/** Returns one Landlock rule for each declared port. */
export const portRules = ({ bind = [], connect = [] }: PortsSpec): readonly PortRule[] => [
  ...bind.map((port) => ({ port, rights: BIND_TCP })),
  ...connect.map((port) => ({ port, rights: CONNECT_TCP })),
];

/** The first ABI version that restricts signals, and connections to abstract sockets. */
const SCOPES_SINCE = 6;
const SCOPES = 0b11n;

/**
 * Returns the scopes that confine signals and abstract sockets to the service; 0 for a version of Linux
 * without scopes.
 */
export const scopesOf = (abi: number): bigint => (abi >= SCOPES_SINCE ? SCOPES : 0n);

/**
 * Returns the file rights that Landlock with this ABI denies if no rule grants them. `guardsExecution`: true
 * if the right to execute files is among them.
 */
export const handledRights = (abi: number, guardsExecution: boolean): bigint => {
  const known = ADDED.filter(({ since }) => abi >= since).reduce(
    (rights, { right }) => rights | right,
    FIRST,
  );
  return guardsExecution ? known : known & ~EXECUTE;
};

/** Returns sentences about the restrictions that Landlock with this ABI does not have. */
export const lostRights = (abi: number): readonly string[] =>
  [
    ...ADDED,
    { since: SCOPES_SINCE, lost: 'signals to processes outside and abstract sockets are not restricted' },
  ].flatMap(({ since, lost }) => (abi < since ? [lost] : []));

const GRANTED: Readonly<Record<FileAccess, bigint>> = {
  read: READ_FILE | READ_DIR,
  // A program can only be executed if it can be read.
  execute: EXECUTE | READ_FILE | READ_DIR,
  write: ~EXECUTE,
};

/**
 * Returns the rights that a rule for a path grants: only rights in `handled`, and for a file only rights that
 * apply to files.
 */
export const grantedRights = (grant: FileAccess, handled: bigint, isDirectory: boolean): bigint =>
  GRANTED[grant] & handled & (isDirectory ? handled : OF_FILES);
