// The files of the page. They are read once, at the start, so no request reaches the file system.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { isMissing } from '../../os/errno.ts';

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

/** Files by their paths in a URL. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** Returns the files of a directory that have a known type; `index.html` has the path `/`. */
export const pageFiles = (directory: string): PageFiles =>
  new Map(
    namesIn(directory).flatMap((name) => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const path = name === 'index.html' ? '/' : `/${name}`;
      return [[path, { type, body: readFileSync(join(directory, name)) }] as const];
    }),
  );
