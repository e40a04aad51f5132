// Needs the native addon.
import { spawn as spawnByNode } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type Children, collectChildren, nodeChildren } from '../../../src/os/children/child-reaper.ts';
import { posixSpawn, type PosixSpawn } from '../../../src/os/libc/posix-spawn.ts';
import { becomeSubreaper, waitOf } from '../../../src/os/libc/process-ends.ts';
import { statOf } from '../../../src/os/proc/process-stat.ts';
import { until } from '../../fixtures/processes/world.ts';
import { libcOfThisMachine } from '../support.ts';

const libc = libcOfThisMachine();
const spawn = posixSpawn(libc) as PosixSpawn;
const wait = waitOf(libc);
const isNodes = nodeChildren();
const nowhere = openSync('/dev/null', 'r+');

const sh = (script: string): number =>
  spawn({
    program: '/bin/sh',
    argv: ['sh', '-c', script],
    environment: { PATH: '/usr/bin:/bin' },
    directory: '/',
    descriptors: [nowhere, nowhere, nowhere],
  });

const ownChildren = (): readonly number[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);

let children: Children;
const collect = (signals: NodeJS.EventEmitter = process): void => {
  children = collectChildren({ wait, isNodes, signals });
};
afterEach(() => children.close());

describe('the exit of a child', () => {
  it('an exit is reported with its code or its signal', async () => {
    collect();
    const ends = ['exit 7', 'exit 0', 'kill -KILL $$', 'kill -USR1 $$'].map((script) =>
      children.endOf(sh(script)),
    );
    expect(await Promise.all(ends)).toEqual([
      { tag: 'code', code: 7 },
      { tag: 'code', code: 0 },
      { tag: 'signal', signal: 'SIGKILL' },
      { tag: 'signal', signal: 'SIGUSR1' },
    ]);
  });

  it('each of two hundred exits in one burst is reported', async () => {
    collect();
    const ends = Array.from({ length: 200 }, (_, at) => children.endOf(sh(`exit ${at}`)));
    const codes = Array.from({ length: 200 }, (_, code) => ({ tag: 'code', code }));
    expect(await Promise.all(ends)).toEqual(codes);
  });

  it('an exit is reported even if its signal came before a listener', async () => {
    const pid = sh('exit 3');
    await until(() => statOf(pid)?.zombie === true);
    // No signal arrives here.
    collect(new EventEmitter());
    expect(await children.endOf(pid)).toEqual({ tag: 'code', code: 3 });
  });
});

describe('children of others', () => {
  it('children of Node are left to Node and block nothing', async () => {
    collect();
    const nodes = Array.from({ length: 20 }, (_, at) => spawnByNode('/bin/sh', ['-c', `exit ${at}`]));
    const ours = Array.from({ length: 20 }, (_, at) => children.endOf(sh(`exit ${at}`)));
    const codes = await Promise.all(nodes.map(async (child) => (await once(child, 'exit'))[0] as number));
    expect(codes).toEqual(Array.from({ length: 20 }, (_, at) => at));
    expect(await Promise.all(ours)).toEqual(codes.map((code) => ({ tag: 'code', code })));
  });

  it('orphans that were reparented here are reaped', async () => {
    becomeSubreaper(libc);
    collect();
    const before = ownChildren();
    await children.endOf(sh('sleep 60 & setsid sleep 60 & exit 0'));
    const strays = ownChildren().filter((child) => !before.includes(child));
    expect(strays).toHaveLength(2);
    strays.forEach((stray) => process.kill(stray, 'SIGKILL'));
    expect(await until(() => strays.every((stray) => statOf(stray) === undefined))).toBe(true);
  });
});
