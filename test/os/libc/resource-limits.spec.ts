// Needs the native addon.
import { describe, expect, it } from 'vitest';
import { readLimit, setLimit } from '../../../src/os/libc/resource-limits.ts';
import { libcOfThisMachine } from '../support.ts';

describe('resource limits', () => {
  it('resource limits are read and set', () => {
    const libc = libcOfThisMachine();
    const before = readLimit(libc, 'memlock');
    setLimit(libc, 'memlock', { soft: 4096, hard: before.hard });
    expect(readLimit(libc, 'memlock')).toEqual({ soft: 4096, hard: before.hard });
    setLimit(libc, 'memlock', before);
  });

  it('a refused resource limit names the call', () => {
    expect(() => setLimit(libcOfThisMachine(), 'nofile', { soft: 10, hard: 5 })).toThrow('setrlimit: EINVAL');
  });
});
