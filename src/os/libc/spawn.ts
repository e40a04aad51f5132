// A new process by `posix_spawn`: no page tables are copied, so it costs the same however large this process is, and what
// the kernel refuses is said by the call itself. The program gets descriptors 0 to 2 and those that are handed to it, no
// others (glibc 2.34), a session of its own, every signal at its default and none blocked.
import { cFunction, Refused, type Libc } from '../libc.ts';
import { TextBlock } from './memory.ts';
import { movesOf } from './descriptor-moves.ts';

export interface SpawnOrder {
  /** A path, looked up in `directory` when it is not absolute. */
  readonly program: string;
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  /** What the program has from descriptor 0 on. */
  readonly descriptors: readonly number[];
}

/** The pid of the new process. Throws `Refused`: nobody was started then. */
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
/** More than glibc's `posix_spawnattr_t` (336) and `posix_spawn_file_actions_t` (80). */
const OPAQUE_BYTES = 1024;

/** These functions answer with the error itself. */
const must = (libc: Libc, ...[what, ...args]: Parameters<Libc['ask']>): void => {
  const { value } = libc.ask(what, ...args);
  if (value !== 0) throw new Refused(what.name, value);
};

/** `undefined` where this C library cannot close what is not handed over (glibc before 2.34, musl). */
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

/** Without a pair for each of them: there are dozens, with each start. */
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
  /** Where its directory is written. */
  readonly place: number;
}

/** Carried out in this order by the new process, before the program begins. */
const handOver = (libc: Libc, actions: Buffer, { descriptors, place }: Handed): void => {
  for (const [from, to] of movesOf(descriptors)) must(libc, DUP2, actions, from, to);
  must(libc, CLOSE_FROM, actions, descriptors.length);
  must(libc, CHDIR, actions, place);
};
