import { describe, expect, it } from 'vitest';
import { cFunction } from '../../../src/os/libc.ts';
import { cString, cVector, words32, words64 } from '../../../src/os/libc/memory.ts';
import { libcOfThisMachine } from '../support.ts';

const STRLEN = cFunction('long', 'strlen', 'pointer');

describe('memory', () => {
  it('ends a string with a zero byte', () => {
    expect(libcOfThisMachine().call(STRLEN, cString('über'))).toBe(5);
    expect(() => cString('a\0b')).toThrow('holds a zero byte');
  });

  it('ends a vector with NULL, and its pointers lead to the strings', () => {
    const libc = libcOfThisMachine();
    const { pointers, strings } = cVector(libc, ['one', 'three']);
    expect(pointers.length).toBe(24);
    expect(pointers.readBigUInt64LE(16)).toBe(0n);
    const length = cFunction('long', 'strnlen', 'ulong', 'ulong');
    expect(libc.call(length, Number(pointers.readBigUInt64LE(8)), 99)).toBe(5);
    expect(strings.toString()).toBe('one\0three\0');
  });

  it('lays out words', () => {
    expect([...words32(1, 0xffff_ffff)]).toEqual([1, 0, 0, 0, 255, 255, 255, 255]);
    expect([...words64(258n)]).toEqual([2, 1, 0, 0, 0, 0, 0, 0]);
  });
});
