// The files of the page. The server reads them once when it starts, so no request reaches the file system.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { ClientFailure, failedWith } from '../../client/client-failure.ts';
import { isMissing } from '../../os/errno.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

/** Files of the page, by the path of their URL. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** Paths of the files without which the page cannot work. */
const NEEDED = ['/', '/page.js'];

const filesIn = (directory: string): PageFiles =>
  new Map(
    readdirSync(directory).flatMap((name) => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const path = name === 'index.html' ? '/' : `/${name}`;
      return [[path, { type, body: readFileSync(join(directory, name)) }] as const];
    }),
  );

const unusable = (directory: string, detail: string): ClientFailure =>
  failedWith({ code: 'ERR0240', place: directory, detail });

/**
 * Returns the files of a directory that have a known type; `index.html` has the path `/`. Throws ERR0240 if
 * the page cannot be read or is incomplete.
 */
export const pageFiles = (directory: string): PageFiles => {
  let files: PageFiles;
  try {
    files = filesIn(directory);
  } catch (error) {
    throw unusable(directory, isMissing(error) ? 'the page is not installed' : messageOf(error));
  }
  if (NEEDED.every((path) => files.has(path))) return files;
  throw unusable(directory, 'the page is incomplete');
};
