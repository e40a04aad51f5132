// What a child process inherits from this process.
// Needs the native addon.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  inheritable,
  replaceable,
  withNothingInherited,
} from '../../../src/os/children/drop-callers-descriptors.ts';
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

describe('inherited descriptors', () => {
  it('inherited descriptors are told apart from opened ones', () => {
    expect(inheritable()).toContain(given);
    expect(inheritable()).not.toContain(own);
  });

  it('inherited descriptors are closed in a child that should inherit nothing', () => {
    expect(filesOf(['ignore', 'pipe', 'ignore'])).toContain(FILE);
    expect(withNothingInherited(['ignore', 'pipe', 'ignore'], filesOf)).not.toContain(FILE);
  });

  it('an inherited descriptor above the limit stays open rather than preventing the start', () => {
    expect(replaceable([30, 140, 146, 251], 150)).toEqual([30, 140]);
    expect(replaceable([251], Number.POSITIVE_INFINITY)).toEqual([251]);
  });

  it('inherited descriptors stay open in this process', () => {
    withNothingInherited(['ignore', 'ignore', 'ignore'], () => undefined);
    expect(inheritable()).toContain(given);
  });
});
