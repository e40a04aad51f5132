// Needs the native addon.
import { describe, expect, it } from 'vitest';
import type { Libc } from '../../../../src/os/libc/libc.ts';
import {
  softFilesArgument,
  softFilesIn,
  softFilesOf,
} from '../../../../src/sinks/privilege/launcher/launcher-protocol.ts';
import type { LaunchStep } from '../../../../src/streams/launch/launch-step.ts';
import { libcOfThisMachine } from '../../../os/support.ts';

const NOFILE = { tag: 'limit', resource: 'nofile', value: 4096 } as const;

/** What is set of a launcher that is told a limit and ordered these steps; nothing is really set. */
const setAfter = (told: number | undefined, steps: readonly LaunchStep[]): readonly string[] => {
  const set: string[] = [];
  const libc = libcOfThisMachine();
  const watching: Libc = {
    ...libc,
    call: (what, ...args) => {
      if (what.name !== 'setrlimit') return libc.call(what, ...args);
      set.push(String((args[1] as Buffer).readBigUInt64LE(0)));
      return 0;
    },
  };
  const softFiles = softFilesOf(softFilesIn(['node', 'launcher.js', ...softFilesArgument(told)]));
  for (const step of steps) softFiles.before(watching, step);
  softFiles.restore(watching);
  return set;
};

describe('the soft limit on open files of a launched program', () => {
  it('the soft limit on open files of a launched program is the one that the launcher was given', () => {
    expect(setAfter(300, [])).toEqual(['300']);
    expect(setAfter(300, [{ ...NOFILE, atLeast: true }])).toEqual(['300']);
    expect(setAfter(300, [{ tag: 'seccomp', filter: [] }])).toEqual(['300']);
  });

  it('the soft limit on open files is left alone if it is declared or unknown', () => {
    expect(setAfter(300, [{ ...NOFILE, atLeast: false }])).toEqual([]);
    expect(setAfter(undefined, [])).toEqual([]);
  });
});
