import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFound } from '../../../src/os/children/program-search.ts';
import { Refused } from '../../../src/os/libc/libc.ts';

const [ENOENT, ENOEXEC, EACCES] = [2, 8, 13];

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'sup-program-'))));
afterEach(() => rmSync(directory, { recursive: true }));

/** What is started, if the kernel refuses these files with these errors. */
const started = (argv: readonly string[], refused: Readonly<Record<string, number>>): string =>
  startFound({ argv, path: '/a:/b', directory }, (program, words) => {
    const errno = refused[program];
    if (errno !== undefined) throw new Refused('execve', errno);
    return [program, ...words].join(' ');
  });

describe('the search for a program', () => {
  it('a program is looked for in each directory of PATH, unless its name has a slash', () => {
    expect(started(['x', '1'], { '/a/x': ENOENT })).toBe('/b/x x 1');
    expect(started(['./x'], {})).toBe('./x ./x');
  });

  it('a program without execute permission is reported if no other is found', () => {
    expect(() => started(['x'], { '/a/x': EACCES, '/b/x': ENOENT })).toThrow('EACCES');
    expect(() => started([''], {})).toThrow('ENOENT');
  });

  it('a text file without an interpreter line is run by a shell', () => {
    writeFileSync(join(directory, 'text'), 'echo\n');
    expect(started(['./text', '1'], { './text': ENOEXEC })).toBe('/bin/sh /bin/sh ./text 1');
  });

  it('a program for another machine is refused, and so is an unreadable file', () => {
    writeFileSync(join(directory, 'binary'), Buffer.from('7f454c460200', 'hex'));
    for (const file of ['./binary', './none'])
      expect(() => started([file], { [file]: ENOEXEC })).toThrow('ENOEXEC');
  });
});
