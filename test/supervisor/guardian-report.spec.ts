import { describe, expect, it } from 'vitest';
import {
  broughtBackText,
  guardedBy,
  guardianWarnings,
  guardianWords,
} from '../../src/supervisor/guardian-report.ts';

describe('the report of a guardian', () => {
  const words = ['node', 'supervisor.js', '--guarded', '--soft-files=1024', '--restarts=3', '--ended=137'];

  it('the report of a guardian is read from the command line', () => {
    expect(guardedBy(words, 7)).toEqual({ pid: 7, restarts: 3, ended: 137, ending: false });
    expect(guardedBy(['node', 'supervisor.js', '--guarded'], 7)).toEqual({
      pid: 7,
      restarts: 0,
      ended: 0,
      ending: false,
    });
  });

  it('the report of a guardian is passed on with its pid, since it may have exited and been replaced', () => {
    const guarded = guardedBy(words, 7);
    expect(guardedBy([...words, ...guardianWords(guarded)], 1)).toEqual(guarded);
    expect(guardianWords(undefined)).toEqual([]);
  });

  it('the report is empty without a guardian', () => {
    expect(guardedBy(['node', 'supervisor.js', '--foreground'], 7)).toBeUndefined();
  });

  it('the report of a guardian is a line in the log of each supervisor but the first', () => {
    expect(broughtBackText({ pid: 7, restarts: 0, ended: 0, ending: false })).toBeUndefined();
    expect(broughtBackText({ pid: 7, restarts: 3, ended: 137, ending: false })).toBe(
      'the supervisor before this one was ended by SIGKILL; this is restart 3 by its guardian (pid 7)',
    );
    expect(broughtBackText({ pid: 7, restarts: 1, ended: 70, ending: false })).toContain(
      'ended with status 70',
    );
  });

  it('the report says that the guardian is missing if it is no longer the parent', () => {
    let parent = 7;
    const warnings = guardianWarnings({ pid: 7, restarts: 0 }, () => parent);
    expect(warnings()).toEqual([]);
    parent = 1;
    expect(warnings()[0]).toContain('does not come back by itself');
    expect(guardianWarnings(undefined, () => 1)()).toEqual([]);
  });
});
