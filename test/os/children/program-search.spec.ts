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

describe('a program', () => {
  it('is looked for in each place of the path, unless its name has a slash', () => {
    expect(started(['x', '1'], { '/a/x': ENOENT })).toBe('/b/x x 1');
    expect(started(['./x'], {})).toBe('./x ./x');
  });

  it('that may not be executed is what is said if no other is found', () => {
    expect(() => started(['x'], { '/a/x': EACCES, '/b/x': ENOENT })).toThrow('EACCES');
    expect(() => started([''], {})).toThrow('ENOENT');
  });

  it('without a first line that says what runs it is run by a shell, if it is a text', () => {
    writeFileSync(join(directory, 'text'), 'echo\n');
    expect(started(['./text', '1'], { './text': ENOEXEC })).toBe('/bin/sh /bin/sh ./text 1');
  });

  it('for another machine is refused, and so is what cannot be read', () => {
    writeFileSync(join(directory, 'binary'), Buffer.from('7f454c460200', 'hex'));
    for (const file of ['./binary', './none'])
      expect(() => started([file], { [file]: ENOEXEC })).toThrow('ENOEXEC');
  });
});
