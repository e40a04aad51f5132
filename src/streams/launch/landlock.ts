// The rights of Landlock, which of them a kernel knows, and which a rule grants (landlock(7)).
import type { Grant } from './step.ts';

const EXECUTE = 1n << 0n;
const WRITE_FILE = 1n << 1n;
const READ_FILE = 1n << 2n;
const READ_DIR = 1n << 3n;
const REFER = 1n << 13n;
const TRUNCATE = 1n << 14n;
const IOCTL_DEV = 1n << 15n;

/** Up to making symbolic links: what the first version knows. */
const FIRST = (1n << 13n) - 1n;
/** What can be done to something that is not a directory. */
const OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;

const ADDED: readonly { readonly since: number; readonly right: bigint; readonly lost: string }[] = [
  { since: 2, right: REFER, lost: 'files cannot be moved from one directory to another at all' },
  { since: 3, right: TRUNCATE, lost: 'truncating a file is not restricted' },
  { since: 5, right: IOCTL_DEV, lost: 'ioctl on devices is not restricted' },
];

/** What is forbidden unless a rule grants it. */
export const handledRights = (abi: number, guardsExecution: boolean): bigint => {
  const known = ADDED.filter(({ since }) => abi >= since).reduce(
    (rights, { right }) => rights | right,
    FIRST,
  );
  return guardsExecution ? known : known & ~EXECUTE;
};

/** What a kernel of that ABI does not do, in words. */
export const lostRights = (abi: number): readonly string[] =>
  ADDED.filter(({ since }) => abi < since).map(({ lost }) => lost);

const GRANTED: Readonly<Record<Grant, bigint>> = {
  read: READ_FILE | READ_DIR,
  // To execute a file is to read it, too.
  execute: EXECUTE | READ_FILE | READ_DIR,
  write: ~EXECUTE,
};

/** What a rule may ask for: only what is handled, and for a file only what files have. */
export const grantedRights = (grant: Grant, handled: bigint, isDirectory: boolean): bigint =>
  GRANTED[grant] & handled & (isDirectory ? handled : OF_FILES);
