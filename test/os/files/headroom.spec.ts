import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Headroom } from '../../../src/os/files/headroom.ts';

const used = (): number => readdirSync('/proc/self/fd').length;

describe('the room for open files', () => {
  it('is there far from the limit, and is not where the last few are left', () => {
    expect(new Headroom(() => 1_000_000).isScarce()).toBe(false);
    expect(new Headroom(() => used() + 40).isScarce()).toBe(false);
    expect(new Headroom(() => used() + 10).isScarce()).toBe(true);
  });

  it('is there again when files were closed, or the limit was raised', () => {
    let limit = used() + 10;
    const headroom = new Headroom(() => limit);
    expect(headroom.isScarce()).toBe(true);
    expect(headroom.advice).toContain(`only ${limit} files may be open`);
    limit += 100;
    expect(headroom.isScarce()).toBe(false);
    expect(headroom.wasScarce()).toBe(true);
  });
});
