// What somebody who is begun has of this process.
// Needs the native addon.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  inheritable,
  replaceable,
  withNothingInherited,
} from '../../../src/os/children/inherited-descriptors.ts';
import { keepOnExec } from '../../../src/os/libc/execute.ts';
import { libcOfThisMachine } from '../support.ts';

const FILE = '/proc/version';
let own: number;
let given: number;
beforeEach(() => {
  own = openSync(FILE, 'r');
  given = openSync(FILE, 'r');
  keepOnExec(libcOfThisMachine(), given);
});
afterEach(() => [own, given].forEach(closeSync));

type Begin = (stdio: (number | 'ignore' | 'pipe')[]) => string;
const filesOf: Begin = (stdio) =>
  spawnSync('/bin/sh', ['-c', 'readlink /proc/self/fd/*'], { stdio, encoding: 'utf8' }).stdout;

describe('what a process was given', () => {
  it('is told from what it has opened itself', () => {
    expect(inheritable()).toContain(given);
    expect(inheritable()).not.toContain(own);
  });

  it('is kept from whom it begins with nothing inherited', () => {
    expect(filesOf(['ignore', 'pipe', 'ignore'])).toContain(FILE);
    expect(withNothingInherited(['ignore', 'pipe', 'ignore'], filesOf)).not.toContain(FILE);
  });

  it('stays where it is beyond what may be opened: better than nobody begun', () => {
    expect(replaceable([30, 140, 146, 251], 150)).toEqual([30, 140]);
    expect(replaceable([251], Number.POSITIVE_INFINITY)).toEqual([251]);
  });

  it('is kept open here', () => {
    withNothingInherited(['ignore', 'ignore', 'ignore'], () => undefined);
    expect(inheritable()).toContain(given);
  });
});
