import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realPlace } from '../../../src/os/files/directories.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sup-place-')));
  mkdirSync(join(root, 'real'));
  symlinkSync(join(root, 'real'), join(root, 'link'));
});
afterEach(() => rmSync(root, { recursive: true }));

describe('the real path', () => {
  it('the real path of a link to a directory is that directory', () => {
    expect(realPlace(join(root, 'link'))).toBe(join(root, 'real'));
  });

  it('the real path of something missing is below its existing parent', () => {
    expect(realPlace(join(root, 'link', 'a', 'b'))).toBe(join(root, 'real', 'a', 'b'));
    expect(realPlace('/')).toBe('/');
  });
});
