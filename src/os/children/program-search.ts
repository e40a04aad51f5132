// Which file a program is, and who runs it: as execvp(3) looks for it, but that a file which is neither a program of this
// machine nor a text is refused. execvp would have a shell read it.
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { errnoOf } from '../errno.ts';
import { Refused } from '../libc.ts';

interface Sought {
  /** The first is what the program is called. */
  readonly argv: readonly string[];
  /** What is looked for, if not the first of `argv`. A name with a slash is no further looked for. */
  readonly file?: string;
  /** The `PATH`. */
  readonly path: string | undefined;
  /** In which it will run: relative places are there. */
  readonly directory: string;
  /** Leaves out places in which nothing is, if a look is cheaper than an attempt. */
  readonly isThere?: (file: string) => boolean;
}

/** Starts this file. Throws `Refused`. */
type Start<T> = (program: string, argv: readonly string[]) => T;

const ENOENT = 2;
/** As execvp looks if there is no `PATH`. */
const DEFAULT_PATH = '/bin:/usr/bin';

/** The program is looked for in the `PATH` that it gets itself, as a shell would. */
export const startFound = <T>(sought: Sought, start: Start<T>): T => {
  let refused: Refused | undefined;
  for (const program of candidatesOf(sought))
    try {
      return startOrInterpret({ ...sought, program }, start);
    } catch (error) {
      if (!(error instanceof Refused) || !isAbout(error)) throw error;
      // A program that may not be executed is what is said, if no other is found.
      if (refused?.code !== 'EACCES') refused = error;
    }
  throw refused ?? new Refused('exec', ENOENT);
};

const isAbout = (error: Refused): boolean => ['ENOENT', 'ENOTDIR', 'EACCES'].includes(error.code);

const candidatesOf = ({
  argv,
  file = argv[0] ?? '',
  path,
  directory,
  isThere = () => true,
}: Sought): readonly string[] => {
  if (file === '') return [];
  if (file.includes('/')) return [file];
  return (path ?? DEFAULT_PATH)
    .split(':')
    .map((place) => `${place === '' ? '.' : place}/${file}`)
    .filter((program) => isThere(resolve(directory, program)));
};

/** As much as is looked at of a file to tell a text. */
const BEGINNING = 128;

/** False also of a file that cannot be read: no shell could. */
const isText = (file: string): boolean => {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const beginning = Buffer.alloc(BEGINNING);
      return !beginning.subarray(0, readSync(descriptor, beginning)).includes(0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
};

/** A script without a first line that says what runs it is the shell's; what is no text is made for another machine. */
const startOrInterpret = <T>(
  { argv, program, directory }: Sought & { readonly program: string },
  start: Start<T>,
): T => {
  try {
    return start(program, argv);
  } catch (error) {
    if (errnoOf(error) !== 'ENOEXEC' || !isText(resolve(directory, program))) throw error;
    return start('/bin/sh', ['/bin/sh', program, ...argv.slice(1)]);
  }
};
