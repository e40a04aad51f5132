import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { overwrite } from '../../../src/os/files/own-file.ts';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'overwrite-'))));
afterEach(() => rmSync(directory, { recursive: true }));

describe('overwriting a file', () => {
  it('a file is created, and stays the same inode', () => {
    const file = join(directory, 'file');
    overwrite(file, 'one  ');
    const { ino, mode } = statSync(file);
    overwrite(file, 'other');
    expect(readFileSync(file, 'utf8')).toBe('other');
    expect(statSync(file)).toMatchObject({ ino, mode });
    expect(mode & 0o777).toBe(0o600);
  });

  it('a symbolic link is not followed', () => {
    const link = join(directory, 'link');
    symlinkSync(join(directory, 'elsewhere'), link);
    expect(() => {
      overwrite(link, 'text');
    }).toThrow('ELOOP');
  });
});
