import { describe, expect, it } from 'vitest';
import { linePattern } from '../../../src/streams/output/line-pattern.ts';

const isIn = (pattern: string, line: string): boolean | undefined => {
  const compiled = linePattern(pattern);
  return compiled.tag === 'pattern' ? compiled.isIn(line) : undefined;
};

describe('the pattern of a line', () => {
  it('a pattern matches anywhere in a line, unless it is anchored', () => {
    expect(isIn('ready to accept', 'LOG: database system is ready to accept connections')).toBe(true);
    expect(isIn('^ready', 'not ready')).toBe(false);
    expect(isIn('(?i)LISTENING on .*:\\d+$', 'Listening on 127.0.0.1:80')).toBe(true);
  });

  it('an invalid pattern says why, and so does one that needs backtracking', () => {
    expect(linePattern('a(b')).toEqual({ tag: 'invalid', why: 'missing closing ): `a(b`' });
    expect(linePattern('(?=a)')).toMatchObject({ tag: 'invalid' });
    expect(linePattern('(a)\\1')).toMatchObject({ tag: 'invalid' });
  });

  it('a pattern that would backtrack for years is matched in linear time', () => {
    expect(isIn('^(a+)+$', `${'a'.repeat(4000)}b`)).toBe(false);
  });
});
