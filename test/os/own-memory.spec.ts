import { describe, expect, it, vi } from 'vitest';
import { libcOf, openLibc } from '../../src/os/libc/libc.ts';
import { ownMemory } from '../../src/os/own-memory.ts';

const MEGABYTE = 1024 * 1024;

describe('own memory', () => {
  it.each([
    ['with the C library', libcOf(openLibc())],
    ['without', undefined],
  ])('is given back when nobody needs it any more, %s', async (_, libc) => {
    const { giveBack } = ownMemory(libc);
    const forgotten = new WeakRef(Buffer.alloc(16 * MEGABYTE));
    // Within this turn whoever was just made cannot be collected.
    await new Promise((resolve) => setImmediate(resolve));
    giveBack();
    await vi.waitFor(() => expect(forgotten.deref() === undefined).toBe(true));
  });

  it('counts what lies outside the heap', () => {
    const { taken } = ownMemory(undefined);
    const before = taken();
    const used = Array.from({ length: 64 }, () => Buffer.alloc(MEGABYTE, 1));
    expect(taken() - before).toBeGreaterThan(60 * MEGABYTE);
    expect(used).toHaveLength(64);
  });

  it('has a nursery that grows with what is made, and is given back although more is made', async () => {
    const { nursery, giveBack } = ownMemory(undefined);
    const kept: unknown[] = [];
    const make = (): void => {
      for (let made = 0; made < 3_000_000; made += 1) {
        kept.push([made]);
        if (kept.length > 100_000) kept.splice(0, 50_000);
      }
    };
    make();
    expect(nursery()).toBeGreaterThan(8 * MEGABYTE);
    giveBack();
    await vi.waitFor(() => expect(nursery()).toBeLessThan(4 * MEGABYTE));
    expect(kept.length).toBeGreaterThan(0);
  });

  it('leaves no collector to anybody else', () => {
    ownMemory(undefined).giveBack();
    expect('gc' in globalThis).toBe(false);
  });
});
