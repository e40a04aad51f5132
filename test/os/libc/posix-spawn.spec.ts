// Needs the native addon.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movesOf, posixSpawn, type PosixSpawn, type SpawnOrder } from '../../../src/os/libc/posix-spawn.ts';
import { waitOf } from '../../../src/os/libc/process-ends.ts';
import { until } from '../../fixtures/processes/world.ts';
import { libcOfThisMachine } from '../support.ts';

const libc = libcOfThisMachine();
const spawn = posixSpawn(libc) as PosixSpawn;
const wait = waitOf(libc);
const directory = mkdtempSync(join(tmpdir(), 'sup-spawn-'));
let nowhere = -1;
beforeAll(() => {
  nowhere = openSync('/dev/null', 'r+');
});
afterAll(() => {
  closeSync(nowhere);
  rmSync(directory, { recursive: true });
});

const order = (script: string, changes: Partial<SpawnOrder> = {}): SpawnOrder => ({
  program: '/bin/sh',
  argv: ['/bin/sh', '-c', script],
  environment: { PATH: '/usr/bin:/bin', WORD: 'über' },
  directory,
  descriptors: [nowhere, nowhere, nowhere],
  ...changes,
});

/** What a script prints, and how it ended. */
const printed = async (script: string, changes: Partial<SpawnOrder> = {}): Promise<string> => {
  const file = join(directory, 'out');
  const out = openSync(file, 'w');
  try {
    const pid = spawn(order(script, { descriptors: [nowhere, out, nowhere], ...changes }));
    await until(() => wait.collect(pid) !== undefined);
    return readFileSync(file, 'utf8').trim();
  } finally {
    closeSync(out);
  }
};

describe('a process started by posix_spawn', () => {
  it('a spawned process has its own session and group', async () => {
    const [pid, , , , group, session] = (await printed('cat /proc/$$/stat')).split(' ');
    expect([group, session]).toEqual([pid, pid]);
  });

  it('a spawned process ignores and blocks no signal, although Node ignores some', async () => {
    expect(readFileSync('/proc/self/status', 'latin1')).not.toMatch(/^SigIgn:\t0+$/m);
    const status = await printed('exec cat /proc/self/status');
    expect(status).toMatch(/^SigIgn:\t0+$/m);
    expect(status).toMatch(/^SigBlk:\t0+$/m);
  });

  it('a spawned process starts in its directory with exactly its variables', async () => {
    expect(await printed('pwd')).toBe(directory);
    const words = await printed('', { program: '/usr/bin/env', argv: ['env'] });
    expect(words.split('\n')).toEqual(['PATH=/usr/bin:/bin', 'WORD=über']);
  });

  it('a spawned process has exactly its descriptors, in order', async () => {
    const leak = openSync(directory, 'r');
    expect(await printed('exec ls -v /proc/self/fd')).toBe('0\n1\n2\n3');
    const files = ['a', 'b'].map((name) => openSync(join(directory, name), 'w'));
    const out = openSync(join(directory, 'out'), 'w');
    const script = 'readlink /proc/self/fd/3 /proc/self/fd/4; ls -v /proc/self/fd';
    const pid = spawn(order(script, { descriptors: [nowhere, out, nowhere, ...files] }));
    await until(() => wait.collect(pid) !== undefined);
    const lines = readFileSync(join(directory, 'out'), 'utf8').trim().split('\n');
    expect(lines).toEqual([join(directory, 'a'), join(directory, 'b'), '0', '1', '2', '3', '4', '5']);
    for (const descriptor of [leak, out, ...files]) closeSync(descriptor);
  });

  it.each([
    ['no such program', { program: '/nowhere/program' }, 'ENOENT'],
    ['a directory for a program', { program: '/tmp' }, 'EACCES'],
    ['no such directory', { directory: '/nowhere' }, 'ENOENT'],
    ['a closed descriptor', { descriptors: [0, 1, 999_999] }, 'EBADF'],
    ['arguments that are too large', { argv: ['sh', '-c', 'x'.repeat(200_000)] }, 'E2BIG'],
  ])('the call itself refuses: %s', (_, changes, code) => {
    const refused = (): number => spawn(order('true', changes));
    expect(refused).toThrow(new RegExp(`^posix_spawn\\w*: ${code}$`));
    expect(wait.anyEnded()).toBeUndefined();
  });
});

describe('descriptors of a spawned process', () => {
  it('descriptors are moved directly if none is in the way', () => {
    expect(movesOf([9, 9, 12])).toEqual([
      [9, 0],
      [9, 1],
      [12, 2],
    ]);
  });

  it('descriptors are moved through free numbers if one would be overwritten', () => {
    const moves = movesOf([9, 10, 11, 4, 3]);
    const table = new Map([9, 10, 11, 3, 4].map((number) => [number, `file ${number}`]));
    for (const [from, to] of moves) table.set(to, table.get(from) ?? 'nothing');
    expect([0, 1, 2, 3, 4].map((number) => table.get(number))).toEqual(
      [9, 10, 11, 4, 3].map((number) => `file ${number}`),
    );
  });
});

describe('a C library that cannot close other descriptors', () => {
  it('posix_spawn is not used if the C library cannot close other descriptors', () => {
    expect(posixSpawn({ ...libc, has: () => false })).toBeUndefined();
  });
});
