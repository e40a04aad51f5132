// Finds the file of a program as execvp(3) does. Like execvp it lets a shell run a file that the kernel
// cannot execute, but only if the file is text.
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { errnoOf } from '../errno.ts';
import { Refused } from '../libc/libc.ts';

interface Sought {
  /** The arguments; the first is the name of the program. */
  readonly argv: readonly string[];
  /** The program to look for. Absent: the first of `argv`. A name with a slash is not searched in `PATH`. */
  readonly file?: string;
  readonly path: string | undefined;
  /** The working directory of the program; relative paths are resolved in it. */
  readonly directory: string;
  /**
   * Returns false for a missing file, so that the search skips this file. Without this function, every file
   * is tried.
   */
  readonly isThere?: (file: string) => boolean;
}

/** Starts the file `program`. Throws `Refused` if the file cannot be started. */
type Start<T> = (program: string, argv: readonly string[]) => T;

const ENOENT = 2;
/** The search path that execvp uses if `PATH` is not set. */
const DEFAULT_PATH = '/bin:/usr/bin';

/** Starts the first program in `PATH` that can be started. Throws `Refused` if none can. */
export const startFound = <T>(sought: Sought, start: Start<T>): T => {
  let refused: Refused | undefined;
  for (const program of candidatesOf(sought))
    try {
      return startOrInterpret({ ...sought, program }, start);
    } catch (error) {
      if (!(error instanceof Refused) || !isAbout(error)) throw error;
      // If no candidate starts, a file without execute permission is reported rather than a missing file.
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

/** Number of bytes at the start of a file that are checked for zero bytes. */
const BEGINNING = 128;

/**
 * True if the file begins with text. False if it cannot be read, because then a shell cannot run it either.
 */
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

/** Starts the program. A script without an interpreter line is started by `/bin/sh`. */
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
