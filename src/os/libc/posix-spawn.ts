// Starts a process by `posix_spawn`. Its cost does not grow with this process's memory. The program gets a
// new session, default signals, and only the given descriptors, numbered from 0 (glibc 2.34).
// Rules: `docs/behaviour.md`, "Starting", "The process".
import { TextBlock } from './c-memory.ts';
import { cFunction, type Libc, Refused } from './libc.ts';

type Move = readonly [from: number, to: number];

/**
 * Returns the dup2 calls that give the descriptors the numbers 0, 1, 2 and so on. If a call would overwrite a
 * descriptor that is still needed, all are first moved to free numbers.
 */
export const movesOf = (descriptors: readonly number[]): readonly Move[] => {
  const inTheWay = descriptors.some((from, to) => from < descriptors.length && from !== to);
  if (!inTheWay) return descriptors.map((from, to) => [from, to]);
  const free = Math.max(descriptors.length, ...descriptors.map((from) => from + 1));
  return [
    ...descriptors.map((from, at): Move => [from, free + at]),
    ...descriptors.map((_from, to): Move => [free + to, to]),
  ];
};

export interface SpawnOrder {
  /** Path of the program; a relative path is resolved in `directory`. */
  readonly program: string;
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  /** Descriptors of this process that the program gets as 0, 1, 2 and so on. */
  readonly descriptors: readonly number[];
}

/** Starts a process and returns its pid. Throws `Refused` if no process was started. */
export type PosixSpawn = (order: SpawnOrder) => number;

const ADD_CLOSE_FROM = 'posix_spawn_file_actions_addclosefrom_np';
const ADD_CHDIR = 'posix_spawn_file_actions_addchdir_np';

const SPAWN = cFunction(
  'int',
  'posix_spawn',
  ...(['pointer', 'pointer', 'pointer', 'pointer', 'pointer', 'pointer'] as const),
);
const ATTR_INIT = cFunction('int', 'posix_spawnattr_init', 'pointer');
const ATTR_FLAGS = cFunction('int', 'posix_spawnattr_setflags', 'pointer', 'int');
const ATTR_DEFAULTS = cFunction('int', 'posix_spawnattr_setsigdefault', 'pointer', 'pointer');
const ATTR_MASK = cFunction('int', 'posix_spawnattr_setsigmask', 'pointer', 'pointer');
const INIT = cFunction('int', 'posix_spawn_file_actions_init', 'pointer');
const DESTROY = cFunction('int', 'posix_spawn_file_actions_destroy', 'pointer');
const DUP2 = cFunction('int', 'posix_spawn_file_actions_adddup2', 'pointer', 'int', 'int');
const CHDIR = cFunction('int', ADD_CHDIR, 'pointer', 'pointer');
const CLOSE_FROM = cFunction('int', ADD_CLOSE_FROM, 'pointer', 'int');

const SETSIGDEF = 0x04;
const SETSIGMASK = 0x08;
const SETSID = 0x80;
const SIGSET_BYTES = 128;
/**
 * The size of the memory for each structure of posix_spawn, bytes. It is larger than glibc's
 * `posix_spawnattr_t` (336 bytes) and `posix_spawn_file_actions_t` (80).
 */
const OPAQUE_BYTES = 1024;

/** Calls a C function that returns an error number; throws `Refused` if that number is not 0. */
const must = (libc: Libc, ...[what, ...args]: Parameters<Libc['ask']>): void => {
  const { value } = libc.ask(what, ...args);
  if (value !== 0) throw new Refused(what.name, value);
};

/**
 * Returns a function that starts processes; `undefined` if the C library lacks a call (glibc < 2.34, musl).
 */
export const posixSpawn = (libc: Libc): PosixSpawn | undefined => {
  if (!libc.has(ADD_CLOSE_FROM) || !libc.has(ADD_CHDIR)) return undefined;
  const attributes = attributesOf(libc);
  const block = new TextBlock(libc);
  const actions = libc.hold(Buffer.alloc(OPAQUE_BYTES));
  const pid = libc.hold(Buffer.alloc(8));
  return (order) => {
    const { program, argv, environment, directory, descriptors } = order;
    const variables = variablesOf(environment);
    block.begin([program, directory, ...argv, ...variables]);
    const [path, place] = [block.text(program), block.text(directory)];
    const [words, variablesAt] = [block.vector(argv), block.vector(variables)];
    must(libc, INIT, actions);
    try {
      handOver(libc, actions, { descriptors, place });
      must(libc, SPAWN, pid, path, actions, attributes, words, variablesAt);
      return pid.readInt32LE(0);
    } finally {
      libc.ask(DESTROY, actions);
    }
  };
};

/** Returns the variables as `NAME=value`. `Object.entries` would allocate an array for each variable. */
const variablesOf = (environment: SpawnOrder['environment']): readonly string[] =>
  Object.keys(environment).map((name) => `${name}=${environment[name] ?? ''}`);

const attributesOf = (libc: Libc): Buffer => {
  const attributes = libc.hold(Buffer.alloc(OPAQUE_BYTES));
  must(libc, ATTR_INIT, attributes);
  must(libc, ATTR_FLAGS, attributes, SETSIGDEF | SETSIGMASK | SETSID);
  must(libc, ATTR_DEFAULTS, attributes, Buffer.alloc(SIGSET_BYTES, 0xff));
  must(libc, ATTR_MASK, attributes, Buffer.alloc(SIGSET_BYTES));
  return attributes;
};

interface Handed {
  readonly descriptors: readonly number[];
  /** Address, in memory, of the path of the new process's working directory. */
  readonly place: number;
}

/** Adds the file actions that the new process performs, in this order, before the program begins. */
const handOver = (libc: Libc, actions: Buffer, { descriptors, place }: Handed): void => {
  for (const [from, to] of movesOf(descriptors)) must(libc, DUP2, actions, from, to);
  must(libc, CLOSE_FROM, actions, descriptors.length);
  must(libc, CHDIR, actions, place);
};
