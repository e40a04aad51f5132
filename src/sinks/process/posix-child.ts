// A new process by `posix_spawn`, where the C library has it: see `child.ts` for what it is like. Its end comes from the
// collector of all children.
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { errnoOf } from '../../os/errno.ts';
import type { Children } from '../../os/children/children.ts';
import { Refused } from '../../os/libc.ts';
import type { Born } from '../../os/children/birthmark.ts';
import type { Limited } from '../../os/children/soft-files.ts';
import type { PosixSpawn, SpawnOrder } from '../../os/libc/spawn.ts';
import { statReader } from '../../os/proc/proc-stat.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { withUmask, type ChildPlan, type StartChild } from './child.ts';

interface PosixPorts {
  readonly spawn: PosixSpawn;
  readonly children: Pick<Children, 'endOf'>;
  /** Starts one with the soft limit on open files that it is to have. */
  readonly limited: Limited;
  /** Starts one with the mark of its run. */
  readonly born: Born;
}

const ENOENT = 2;
/** As `execvp` looks where there is no `PATH`. */
const DEFAULT_PATH = '/bin:/usr/bin';

export const posixStarter = ({ spawn, children, limited, born }: PosixPorts): StartChild => {
  let opened: number | undefined;
  const stat = statReader();
  const begun = (plan: ChildPlan): number => {
    // With the first start: where there is no descriptor left it is that start which is refused.
    const nowhere = (opened ??= openSync('/dev/null', 'r+'));
    const {
      output = { stdout: nowhere, stderr: nowhere },
      descriptors = [],
      argv,
      environment,
      directory,
    } = plan;
    const handed = [nowhere, output.stdout, output.stderr, ...descriptors];
    const order = { argv, environment, directory, descriptors: handed };
    return limited(Math.max(...handed), () =>
      born(environment, () => withUmask(plan, () => startFound(spawn, order))),
    );
  };
  // Nobody would know it again: better that it is not there. It is our child, so that its pid is still its own.
  const identified = (pid: number): ProcessRef => {
    try {
      return { pid, startTicks: stat(pid)?.startTicks ?? 0 };
    } catch (error) {
      process.kill(pid, 'SIGKILL');
      throw error;
    }
  };
  // Asynchronous as Node's own is for whoever calls: what is refused is a rejection.
  return async (plan) => {
    const pid = begun(plan);
    const exit = children.endOf(pid);
    return Promise.resolve({ process: identified(pid), exit });
  };
};

type Order = Omit<SpawnOrder, 'program'>;

/** The program is looked for in the `PATH` that it gets itself, as a shell would. */
const startFound = (spawn: PosixSpawn, order: Order): number => {
  let refused: Refused | undefined;
  for (const program of candidatesOf(order))
    try {
      return startOrInterpret(spawn, { ...order, program });
    } catch (error) {
      if (!(error instanceof Refused) || !isAbout(error)) throw error;
      // A program that may not be executed is what is said, if no other is found.
      if (refused?.code !== 'EACCES') refused = error;
    }
  throw refused ?? new Refused('posix_spawn', ENOENT);
};

const isAbout = (error: Refused): boolean => ['ENOENT', 'ENOTDIR', 'EACCES'].includes(error.code);

const candidatesOf = ({ argv, environment, directory }: Order): readonly string[] => {
  const [program = ''] = argv;
  if (program === '') return [];
  if (program.includes('/')) return [program];
  return (environment['PATH'] ?? DEFAULT_PATH)
    .split(':')
    .map((place) => `${place === '' ? '.' : place}/${program}`)
    .filter((file) => existsSync(resolve(directory, file)));
};

/** As much as is looked at of a file to tell a text. */
const BEGINNING = 128;

const isText = (file: string): boolean => {
  const descriptor = openSync(file, 'r');
  try {
    const beginning = Buffer.alloc(BEGINNING);
    return !beginning.subarray(0, readSync(descriptor, beginning)).includes(0);
  } finally {
    closeSync(descriptor);
  }
};

/** A script without a first line that says what runs it is the shell's; what is no text is made for another machine. */
const startOrInterpret = (spawn: PosixSpawn, order: SpawnOrder): number => {
  try {
    return spawn(order);
  } catch (error) {
    if (errnoOf(error) !== 'ENOEXEC' || !isText(resolve(order.directory, order.program))) throw error;
    const argv = ['/bin/sh', order.program, ...order.argv.slice(1)];
    return spawn({ ...order, program: '/bin/sh', argv });
  }
};
