import { describe, expect, it, vi } from 'vitest';
import { libcOf, openLibc } from '../../src/os/libc/libc.ts';
import { ownMemory } from '../../src/os/own-memory.ts';
import { PATIENT } from '../support/patience.ts';

const MEGABYTE = 1024 * 1024;

describe('the memory of this process', () => {
  it.each([
    ['with the C library', libcOf(openLibc())],
    ['without', undefined],
  ])('unused memory is given back, %s', async (_, libc) => {
    const { giveBack } = ownMemory(libc);
    const forgotten = new WeakRef(Buffer.alloc(16 * MEGABYTE));
    // An object created in this turn cannot be collected within it.
    await new Promise((resolve) => setImmediate(resolve));
    giveBack();
    await vi.waitFor(() => expect(forgotten.deref() === undefined).toBe(true), PATIENT);
  });

  it('memory outside the heap counts', () => {
    const { taken } = ownMemory(undefined);
    const before = taken();
    const used = Array.from({ length: 64 }, () => Buffer.alloc(MEGABYTE, 1));
    expect(taken() - before).toBeGreaterThan(60 * MEGABYTE);
    expect(used).toHaveLength(64);
  });

  it('the young generation grows with allocations and is given back while there are more', async () => {
    const { youngGenerationBytes, giveBack } = ownMemory(undefined);
    const kept: unknown[] = [];
    const make = (): void => {
      for (let made = 0; made < 3_000_000; made += 1) {
        kept.push([made]);
        if (kept.length > 100_000) kept.splice(0, 50_000);
      }
    };
    make();
    expect(youngGenerationBytes()).toBeGreaterThan(8 * MEGABYTE);
    giveBack();
    await vi.waitFor(() => expect(youngGenerationBytes()).toBeLessThan(4 * MEGABYTE), PATIENT);
    expect(kept.length).toBeGreaterThan(0);
  });

  it('no garbage collector is left for other code', () => {
    ownMemory(undefined).giveBack();
    expect('gc' in globalThis).toBe(false);
  });
});
