import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errnoOf, isForbidden, isGone, isMissing, refusalText } from '../../src/os/errno.ts';

const refused = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};
const coded = (code: string): Error => Object.assign(new Error('words'), { code });

describe('an error of the operating system', () => {
  it('an error is recognized by its code', () => {
    const missing = refused(() => readFileSync('/nowhere/at/all'));
    expect(errnoOf(missing)).toBe('ENOENT');
    expect(isMissing(missing)).toBe(true);
    expect(refusalText(missing)).toBe('ENOENT');
  });

  it.each([
    ['ENOENT', true, false],
    ['ESRCH', true, false],
    ['EACCES', false, true],
    ['EPERM', false, true],
    ['EMFILE', false, false],
  ])('%s means that a process is gone: %s, or not permitted: %s', (code, gone, forbidden) => {
    expect(isGone(coded(code))).toBe(gone);
    expect(isForbidden(coded(code))).toBe(forbidden);
  });

  it.each([[new Error('words')], ['words']])('%o is no error of the operating system', (thrown) => {
    expect(errnoOf(thrown)).toBeUndefined();
    expect(isGone(thrown)).toBe(false);
    expect(refusalText(thrown)).toBe('words');
  });
});
