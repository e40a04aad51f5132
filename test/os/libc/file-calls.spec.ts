// Needs the native addon.
import type * as NodeFs from 'node:fs';
import {
  closeSync,
  ftruncateSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { growDescriptorTable, makeFifo, mapped, writeInPlace } from '../../../src/os/libc/file-calls.ts';
import { cFunction, type Libc, Refused } from '../../../src/os/libc/libc.ts';
import { libcOfThisMachine } from '../support.ts';

const place = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-fifo-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'web.stdout');
};

it('a FIFO is created once, for its owner only', () => {
  const path = place();
  makeFifo(libcOfThisMachine(), path);
  makeFifo(libcOfThisMachine(), path);
  const made = lstatSync(path);
  expect([made.isFIFO(), made.mode & 0o777]).toEqual([true, 0o600]);
});

it('a FIFO that cannot be created is an error with its reason', () => {
  expect(() => makeFifo(libcOfThisMachine(), `${place()}/below`)).toThrow('mkfifo: ENOENT');
});

const disk = vi.hoisted(() => ({ type: 0, asked: '' }));
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof NodeFs>()),
  statfsSync: (path: string) => {
    disk.asked = path;
    return { type: disk.type };
  },
}));

const DESCRIPTOR = 7;
const COMPRESSED = 0x4;
const NO_COPY = 0x0080_0000;

/** A file system that has flags of files, and does not refuse to take them unless it is told to. */
const flagged = (refuses = false) => {
  const calls: string[] = [];
  const libc: Pick<Libc, 'call'> = {
    call: (what, ...[descriptor, request, flags]) => {
      if (!Buffer.isBuffer(flags)) throw new Error('no place for flags');
      const sets = request === 0x4008_6602;
      if (refuses && sets) throw new Refused('ioctl', 95);
      if (!sets) flags.writeUInt32LE(COMPRESSED, 0);
      calls.push(
        `${what.name} ${String(descriptor)} ${sets ? `set ${flags.readUInt32LE(0).toString(16)}` : 'get'}`,
      );
      return 0;
    },
  };
  return { calls, libc: libc as Libc };
};

const written = (type: number, world = flagged()): readonly string[] => {
  disk.type = type;
  writeInPlace(world.libc, DESCRIPTOR, '/data/output.buffer');
  return world.calls;
};

describe('whether a file system writes in place', () => {
  it.each([
    ['ext4', 0xef53],
    ['XFS', 0x5846_5342],
    ['tmpfs', 0x0102_1994],
    ['overlayfs', 0x794c_7630],
    ['f2fs', 0xf2f5_2010],
  ])('a file is written in place on %s', (_, type) => {
    expect(written(type)).toEqual([]);
    expect(disk.asked).toBe('/data');
  });

  it.each([
    ['btrfs', 0x9123_683e],
    ['btrfs, whose number Node has made negative', 0x9123_683e - 2 ** 32],
    ['bcachefs', 0xca45_1a4e],
    ['ZFS', 0x2fc1_2fc1],
  ])('a file is written in place if %s is set, along with its other flags', (_, type) => {
    const flags = (COMPRESSED | NO_COPY).toString(16);
    expect(written(type)).toEqual(['ioctl 7 get', `ioctl 7 set ${flags}`]);
  });

  it('a file system that refuses is an error, since nothing may be mapped there', () => {
    expect(() => written(0x2fc1_2fc1, flagged(true))).toThrow('ioctl: ENOTSUP');
  });
});

// Needs the native addon.

/** Descriptors that there is room for, as the kernel has it on record. */
const room = (): number => Number(/^FDSize:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]);

it('the descriptor table grows ahead of need, and no descriptor stays open', async () => {
  const before = readdirSync('/proc/self/fd').length;
  expect(room()).toBeLessThan(4096);
  await growDescriptorTable(libcOfThisMachine());
  expect(room()).toBeGreaterThanOrEqual(4096);
  expect(readdirSync('/proc/self/fd')).toHaveLength(before);
});

const MALLOC = cFunction('long', 'malloc', 'ulong');
const FREE = cFunction('void', 'free', 'ulong');
const MIB = 1024 * 1024;

/** Frees 60 MiB in one piece, which the allocator keeps for later requests. Returns where it begins. */
const freedPiece = (libc: Libc): number => {
  const take = (bytes: number): number => libc.ask(MALLOC, bytes).value;
  const free = (address: number): void => void libc.ask(FREE, address);
  // After this, the allocator of glibc serves 20 MiB from its heap instead of by mmap.
  free(take(24 * MIB));
  const pieces = [take(20 * MIB), take(20 * MIB), take(20 * MIB)];
  take(MIB);
  pieces.forEach(free);
  return Math.min(...pieces);
};

it('a mapped file has memory of its own, even if the allocator has enough free memory', () => {
  const libc = libcOfThisMachine();
  const length = 32 * MIB;
  const descriptor = openSync(place(), 'w+');
  onTestFinished(() => closeSync(descriptor));
  ftruncateSync(descriptor, length);
  const from = freedPiece(libc);
  const memory = mapped(libc, { descriptor, offset: 0, length });
  memory.write('through the mapping', 4096);
  expect(readFileSync(descriptor).toString('latin1', 4096, 4096 + 19)).toBe('through the mapping');
  const at = libc.addressOf(memory);
  expect(at + length <= from || at >= from + 60 * MIB).toBe(true);
});
