// Test files that need the native addon (ffi-napi). They are left out, with one printed line, where it cannot be
// loaded: `npm ci` goes on without it on a machine that has no compiler. CI requires it.
// A file that compiles a program has the mark too: where there is no compiler, there is no addon.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The line that such a file has. */
const MARK = /^\/\/ Needs the native addon\.$/m;

const isLoadable = (): boolean => {
  try {
    createRequire(import.meta.url)('ffi-napi');
    return true;
  } catch {
    return false;
  }
};

const marked = (): readonly string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => join('test', name))
    .filter((path) => MARK.test(readFileSync(path, 'utf8')));

/** The files to leave out: none where the addon loads. Prints how many, in the main process of a test run only. */
export const withoutAddon = (): readonly string[] => {
  if (isLoadable()) return [];
  const files = marked();
  process.stderr.write(`left out: ${files.length} test files that need the native addon (npm run addon)\n`);
  return files;
};
