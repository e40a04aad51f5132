// Finds the file of a program and its interpreter, as execvp(3) does. One difference: a file that is neither
// an executable of this machine nor a text is refused, where execvp would run a shell on it.
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { errnoOf } from '../errno.ts';
import { Refused } from '../libc/libc.ts';

interface Sought {
  /** The first is the name of the program. */
  readonly argv: readonly string[];
  /** The file to look for, if not the first of `argv`. A name with a slash is used as it is. */
  readonly file?: string;
  /** The `PATH`. */
  readonly path: string | undefined;
  /** The working directory of the program, for relative paths. */
  readonly directory: string;
  /** Skips candidates that do not exist, if a check is cheaper than an attempt. */
  readonly isThere?: (file: string) => boolean;
}

/** Starts this file. Throws `Refused`. */
type Start<T> = (program: string, argv: readonly string[]) => T;

const ENOENT = 2;
/** The path of execvp if there is no `PATH`. */
const DEFAULT_PATH = '/bin:/usr/bin';

/** Looks the program up in the `PATH` that it receives itself, as a shell would. */
export const startFound = <T>(sought: Sought, start: Start<T>): T => {
  let refused: Refused | undefined;
  for (const program of candidatesOf(sought))
    try {
      return startOrInterpret({ ...sought, program }, start);
    } catch (error) {
      if (!(error instanceof Refused) || !isAbout(error)) throw error;
      // A program without execute permission is reported if no other is found.
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

/** Bytes that are read of a file to detect a text. */
const BEGINNING = 128;

/** False also for an unreadable file, which no shell could run. */
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

/**
 * Runs a script without an interpreter line by `/bin/sh`. A file that is no text was built for another
 * machine.
 */
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
