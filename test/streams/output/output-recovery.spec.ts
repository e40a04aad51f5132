import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { lengthRead, patternOf, remainder } from '../../../src/streams/output/output-recovery.ts';

describe('the fill pattern of unread memory', () => {
  it('the fill pattern is the same in every version, since another one may have written it', () => {
    const pattern = patternOf(4711, 65_536);
    expect(Buffer.from(pattern.subarray(0, 8)).toString('hex')).toBe('fbc1fdfff9c1f9f8');
    const sum = createHash('sha1').update(pattern).digest('hex');
    expect(sum).toBe('3a982b36c6288030b66050e3aecf558ffbbe43f2');
  });

  it('the fill pattern shows how far a read got', () => {
    const pattern = patternOf(7, 64);
    const bytes = Uint8Array.from(pattern);
    bytes.set(Buffer.from('a line\n'), 16);
    expect(lengthRead(bytes, pattern, { from: 16, to: 64 })).toBe(7);
    expect(lengthRead(pattern, pattern, { from: 16, to: 64 })).toBe(0);
  });
});

describe('the rest of a write that a kill interrupted', () => {
  const lines = Buffer.from('one\ntwo\n');
  it('the rest of an interrupted write begins where the log ends, unless another process wrote that', () => {
    expect(remainder(lines, Buffer.from('one\nt'))).toBe(5);
    expect(remainder(lines, lines)).toBe(8);
    expect(remainder(lines, Buffer.from('one\nthree\n'))).toBe(0);
  });
});
