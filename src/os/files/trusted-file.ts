// Reads a file that decides which programs run. The file is checked and read through the same descriptor, so
// it cannot be exchanged between check and read (`docs/behaviour.md`, "Trust").
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { errnoOf, refusalText } from '../errno.ts';
import { troubleOnTheWay } from './trusted-directories.ts';

/** The user that reads files, and whether the supervisor runs with `--sys`. */
export interface FileReader {
  readonly uid: number;
  /** True for a supervisor with `--sys`: only root may then be able to change the files. */
  readonly sys: boolean;
}

export type FileReading =
  | { readonly tag: 'read'; readonly text: string; readonly bytes: number; readonly identity: string }
  | { readonly tag: 'unreadable'; readonly detail: string }
  | { readonly tag: 'untrusted'; readonly detail: string }
  | { readonly tag: 'too-large'; readonly bytes: number }
  /** The file is not UTF-8. `text` has replacement characters, the first of them at `offset`. */
  | { readonly tag: 'garbled'; readonly text: string; readonly offset: number };

/** The bytes of a file, or why the file cannot be used. */
type BytesReading =
  | { readonly tag: 'read'; readonly content: Buffer; readonly identity: string }
  | Extract<FileReading, { readonly tag: 'unreadable' | 'untrusted' | 'too-large' }>;

const GROUP_WRITE = 0o020;
const OTHERS_WRITE = 0o002;

/** Returns why the file is not trusted: another user owns it or may change it. */
const distrust = (stats: Stats, { uid, sys }: FileReader): string | undefined => {
  const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
  if (sys && stats.uid !== 0) return `it is owned by user ${stats.uid}; with --sys it must be owned by root`;
  if (sys && (stats.mode & (GROUP_WRITE | OTHERS_WRITE)) !== 0)
    return `its mode is ${mode}; with --sys neither group nor others may write it`;
  if (stats.uid !== uid && stats.uid !== 0)
    return `it is owned by user ${stats.uid}; it must be owned by user ${uid} or root`;
  if ((stats.mode & OTHERS_WRITE) !== 0) return `its mode is ${mode}; others must not be able to write it`;
  return undefined;
};

const readAll = (descriptor: number, size: number): Buffer => {
  const buffer = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(descriptor, buffer, length, size - length, null);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
};

/**
 * Converts bytes that were read from a file to the result of reading that file. `identity`: a text that
 * distinguishes the file from other files.
 */
export const readBytes = (bytes: Uint8Array, identity: string): FileReading => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { tag: 'read', text, bytes: bytes.length, identity };
  } catch {
    const text = new TextDecoder().decode(bytes);
    return { tag: 'garbled', text, offset: Math.max(0, text.indexOf('\uFFFD')) };
  }
};

const readOpen = (descriptor: number, reader: FileReader, limit: number): BytesReading => {
  const stats = fstatSync(descriptor);
  if (stats.isDirectory()) return { tag: 'unreadable', detail: 'it is a directory' };
  if (!stats.isFile())
    return { tag: reader.sys ? 'untrusted' : 'unreadable', detail: 'it is not a regular file' };
  const why = distrust(stats, reader);
  if (why !== undefined) return { tag: 'untrusted', detail: why };
  if (stats.size > limit) return { tag: 'too-large', bytes: stats.size };
  const content = readAll(descriptor, stats.size);
  return { tag: 'read', content, identity: `${stats.dev}:${stats.ino}` };
};

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'permission denied',
  ELOOP: 'too many symbolic links',
};

const reasonOf = (error: unknown): string => REASONS[errnoOf(error) ?? ''] ?? refusalText(error);

/** Returns why the path may lead to another file than root intended. Checks this only with `--sys`. */
const misled = (path: string, descriptor: number, { sys }: FileReader): string | undefined => {
  if (!sys) return undefined;
  const trouble = troubleOnTheWay(resolve(path));
  if (trouble !== undefined) return trouble;
  // As just checked, only root can redirect the path. So it is enough that the path still leads to this file.
  const [opened, there] = [fstatSync(descriptor), statSync(path)];
  return opened.dev === there.dev && opened.ino === there.ino
    ? undefined
    : 'it was replaced while it was being read';
};

/** The maximum size of a secret for signatures, bytes: far more than any key has. */
export const MOST_SECRET_BYTES = 4096;
/**
 * The maximum size of a secret for a variable, bytes. If a file is larger, it is probably not a secret, and
 * its path is a mistake.
 */
export const MOST_SECRET_VARIABLE_BYTES = 64 * 1024;

/** Returns why a file cannot be used as a secret of at most `limit` bytes; `undefined` if it can. */
export const secretTrouble = (reading: FileReading, limit: number): string | undefined => {
  switch (reading.tag) {
    case 'read':
      return reading.text.includes('\0') ? 'it contains a NUL character' : undefined;
    case 'untrusted':
      return `it is not trusted: ${reading.detail}`;
    case 'unreadable':
      return reading.detail;
    case 'too-large':
      return `it has ${reading.bytes} bytes; a secret may have ${limit}`;
    case 'garbled':
      return 'it is not UTF-8 text';
  }
};

/** Opens, checks and reads a file of at most `limit` bytes. A FIFO is refused and never blocks. */
export const readTrustedBytes = (path: string, reader: FileReader, limit: number): BytesReading => {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const detail = misled(path, descriptor, reader);
    return detail === undefined ? readOpen(descriptor, reader, limit) : { tag: 'untrusted', detail };
  } catch (error) {
    return { tag: 'unreadable', detail: reasonOf(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
};

/** Like `readTrustedBytes`, for a file with text. */
export const readTrusted = (path: string, reader: FileReader, limit: number): FileReading => {
  const reading = readTrustedBytes(path, reader, limit);
  return reading.tag === 'read' ? readBytes(reading.content, reading.identity) : reading;
};
