import { describe, expect, it } from 'vitest';
import {
  broughtBackText,
  guardedBy,
  guardianWarnings,
  guardianWords,
} from '../../src/supervisor/guardian-report.ts';

describe('what a guardian tells', () => {
  const words = ['node', 'supervisor.js', '--guarded', '--soft-files=1024', '--restarts=3', '--ended=137'];

  it('is read from the command line', () => {
    expect(guardedBy(words, 7)).toEqual({ pid: 7, restarts: 3, ended: 137, ending: false });
    expect(guardedBy(['node', 'supervisor.js', '--guarded'], 7)).toEqual({
      pid: 7,
      restarts: 0,
      ended: 0,
      ending: false,
    });
  });

  it('is handed on with its pid: it may have ended, and somebody else be the parent', () => {
    const guarded = guardedBy(words, 7);
    expect(guardedBy([...words, ...guardianWords(guarded)], 1)).toEqual(guarded);
    expect(guardianWords(undefined)).toEqual([]);
  });

  it('is nothing without one', () => {
    expect(guardedBy(['node', 'supervisor.js', '--foreground'], 7)).toBeUndefined();
  });

  it('is a line in the log of every supervisor but the first', () => {
    expect(broughtBackText({ pid: 7, restarts: 0, ended: 0, ending: false })).toBeUndefined();
    expect(broughtBackText({ pid: 7, restarts: 3, ended: 137, ending: false })).toBe(
      'the supervisor before this one was ended by SIGKILL; this is restart 3 by its guardian (pid 7)',
    );
    expect(broughtBackText({ pid: 7, restarts: 1, ended: 70, ending: false })).toContain(
      'ended with status 70',
    );
  });

  it('is missed when it is not the parent any more', () => {
    let parent = 7;
    const warnings = guardianWarnings({ pid: 7, restarts: 0 }, () => parent);
    expect(warnings()).toEqual([]);
    parent = 1;
    expect(warnings()[0]).toContain('does not come back by itself');
    expect(guardianWarnings(undefined, () => 1)()).toEqual([]);
  });
});
