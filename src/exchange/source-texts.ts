// Reads the files to import. Limits make sure that a hostile file costs little memory and time.
import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { failure } from '../streams/views/errors/command-failure.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';

/** The most bytes of one file, and also of all files of an import together. */
export const MOST_BYTES = 4 * 1024 * 1024;
const MOST_FILES = 1000;

export interface SourceText {
  /** The path as it was given; `-` for standard input. */
  readonly path: string;
  /** The absolute directory to which relative paths in the file are relative. */
  readonly directory: string;
  readonly text: string;
}

/** Access to files for the formats. Each function that reads throws ERR0803 if it fails. */
export interface SourceTexts {
  /** Reads a further file, such as an include. `path` is absolute, or relative to the working directory. */
  readonly read: (path: string) => SourceText;
  /** Returns the text of a file, or `undefined` if there is none. */
  readonly readIfPresent: (path: string) => SourceText | undefined;
  /** True for a directory, and for a link to one. False if the path does not exist or cannot be examined. */
  readonly isDirectory: (path: string) => boolean;
  /** Returns the sorted names in a directory. */
  readonly list: (directory: string) => readonly string[];
  /**
   * Returns a path as it must be written in the manifest. `from`: the directory that the path is relative to.
   */
  readonly placed: (path: string, from: string) => string;
  /** Returns the `working_dir` for a service that ran in this directory; `undefined` if it is the default. */
  readonly workingDir: (directory: string) => string | undefined;
}

interface Places {
  /** The working directory of the command. */
  readonly directory: string;
  /** The directory that the manifest will be in. */
  readonly manifestDirectory: string;
}

const refused = (file: string, detail: string): Error => failure({ code: 'ERR0803', file, detail });

/** Returns the number of the first line that is not UTF-8. */
const firstBadLine = (bytes: Buffer): number =>
  bytes
    .toString('latin1')
    .split('\n')
    .findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) + 1;

/**
 * Returns the text with `\n` at the ends of lines. Throws ERR0803 if it is too large, binary, or not UTF-8.
 */
export const checkedText = (file: string, bytes: Buffer): string => {
  if (bytes.length > MOST_BYTES) throw refused(file, 'it is larger than 4 MiB');
  if (bytes.includes(0)) throw refused(file, 'it is binary, not text');
  if (!isUtf8(bytes))
    throw refused(file, `line ${firstBadLine(bytes)} is not UTF-8; iconv -f latin1 -t utf-8 converts a file`);
  return bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n');
};

/** True for a link to `/dev/null`, which systemd treats as an empty file. */
const isMasked = (path: string): boolean =>
  lstatSync(path).isSymbolicLink() && readlinkSync(path) === '/dev/null';

const bytesOf = (path: string): Buffer => {
  if (isMasked(path)) return Buffer.alloc(0);
  const { size, isFile } = ((stat) => ({ size: stat.size, isFile: stat.isFile() }))(statSync(path));
  if (!isFile) throw refused(path, 'it is not a regular file');
  if (size > MOST_BYTES) throw refused(path, 'it is larger than 4 MiB');
  return readFileSync(path);
};

/** Returns the result of `read`. Throws ERR0803 if `read` fails with an error of the operating system. */
const attempted = <T>(path: string, read: () => T): T => {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown)) throw thrown;
    // Node's message ends with the call and the path. They are removed, because `refused` adds the path.
    throw refused(path, messageOf(thrown).replace(/^E[A-Z]+: ([^,]+),[^]*$/, '$1'));
  }
};

/** True if there is no file at `absolute`. If the file system cannot tell, throws ERR0803 with `path`. */
const isMissing = (path: string, absolute: string): boolean =>
  attempted(path, () => statSync(absolute, { throwIfNoEntry: false })) === undefined;

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
};

/** Returns the functions that read files for one import. They count files and bytes for the limits. */
export const startReading = ({ directory, manifestDirectory }: Places): SourceTexts => {
  let files = 0;
  let bytes = 0;
  const read = (path: string): SourceText => {
    const absolute = resolve(directory, path);
    files += 1;
    if (files > MOST_FILES) throw refused(path, `the import has more than ${MOST_FILES} files`);
    const text = checkedText(
      path,
      attempted(path, () => bytesOf(absolute)),
    );
    bytes += text.length;
    if (bytes > MOST_BYTES) throw refused(path, 'all files of the import together are larger than 4 MiB');
    return { path, directory: dirname(absolute), text };
  };
  return {
    read,
    readIfPresent: (path) => (isMissing(path, resolve(directory, path)) ? undefined : read(path)),
    isDirectory: (path) => isDirectory(resolve(directory, path)),
    list: (path) => attempted(path, () => readdirSync(resolve(directory, path))).sort(),
    placed: (path, from) => {
      if (isAbsolute(path) || resolve(from) === resolve(manifestDirectory)) return path;
      return resolve(from, path);
    },
    workingDir: (path) => {
      const away = relative(manifestDirectory, path);
      if (away === '') return undefined;
      return away.startsWith('..') ? path : away;
    },
  };
};
