// Needs the native addon.
import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { statOf } from '../../../src/os/proc/process-stat.ts';
import { strangersBy, type Strangers } from '../../../src/os/children/pidfd-exits.ts';
import { DescriptorBudget } from '../../../src/os/descriptor-budget.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import { libcOfThisMachine } from '../support.ts';

/** `$$` of a subshell would be the shell that it came from. */
const TERMINATED = `exec sh -c 'read -r go; kill -TERM $$'`;

const SLEEP = 'exec sleep 60';

let strangers: Strangers | undefined;
const watch = (descriptorBudget?: DescriptorBudget): Strangers =>
  (strangers = strangersBy(libcOfThisMachine(), new EventEmitter(), descriptorBudget));
afterEach(() => strangers?.close());

const parents: ChildProcess[] = [];
afterEach(() => parents.splice(0).forEach((parent) => parent.kill('SIGKILL')));

interface Child extends ProcessRef {
  /** Ends the input, for which the scripts wait: the process ends only after this. */
  readonly finish: () => void;
}

/** Its parent becomes another program: a shell collects it, and `sleep` does not. */
const child = async (script: string, then = 'wait'): Promise<Child> => {
  const parent = spawn('/bin/sh', ['-c', `exec 3<&0; (${script}) <&3 & echo $!; ${then}`]);
  parents.push(parent);
  const pid = await new Promise<number>((resolve) => {
    parent.stdout.once('data', (text: Buffer) => resolve(Number(text)));
  });
  return { pid, startTicks: statOf(pid)?.startTicks ?? 0, finish: () => parent.stdin.end() };
};

describe('the exit of a process that is no child', () => {
  it('an exit is reported with its code or its signal', async () => {
    const { endOf } = watch();
    const [code, signal] = [await child('read -r go; exit 7'), await child(TERMINATED)];
    const ends = [endOf(code), endOf(signal)];
    [code, signal].forEach(({ finish }) => finish());
    expect([await ends[0], await ends[1]]).toEqual([
      { tag: 'code', code: 7 },
      { tag: 'signal', signal: 'SIGTERM' },
    ]);
  });

  it('an exit is reported while the process is a zombie', async () => {
    const { endOf } = watch();
    const [success, failure] = [
      await child('read -r go; exit 0', SLEEP),
      await child('read -r go; exit 9', SLEEP),
    ];
    const ends = [endOf(success), endOf(failure)];
    [success, failure].forEach(({ finish }) => finish());
    expect([await ends[0], await ends[1]]).toEqual([
      { tag: 'code', code: 0 },
      { tag: 'code', code: 9 },
    ]);
    expect(statOf(success.pid)?.zombie).toBe(true);
  });

  it('an exit of another user’s process is reported while it is a zombie', async () => {
    if (process.getuid?.() !== 0) throw new Error('only root can start a process of another user');
    const { endOf } = watch();
    const ofNobody = 'exec setpriv --reuid=65534 --regid=65534 --clear-groups sh -c';
    const [success, failure] = [
      await child(`${ofNobody} 'read -r go; exit 0'`, SLEEP),
      await child(`${ofNobody} 'read -r go; exit 9'`, SLEEP),
    ];
    const ends = [endOf(success), endOf(failure)];
    [success, failure].forEach(({ finish }) => finish());
    expect([await ends[0], await ends[1]]).toEqual([
      { tag: 'code', code: 0 },
      { tag: 'code', code: 9 },
    ]);
    expect(statOf(success.pid)?.zombie).toBe(true);
  });

  it('each of many exits is reported, also of processes added later', async () => {
    const { endOf } = watch();
    const ends: Promise<unknown>[] = [];
    for (let code = 1; code <= 20; code += 1) {
      const one = await child(`read -r go; exit ${code}`);
      ends.push(Promise.resolve(endOf(one)));
      one.finish();
    }
    expect(await Promise.all(ends)).toEqual(
      Array.from({ length: 20 }, (_, at) => ({ tag: 'code', code: at + 1 })),
    );
  });

  it('a process that is gone, or whose pid was reused, cannot be waited for', async () => {
    const { endOf } = watch();
    const alive = await child('read -r go');
    expect(endOf({ ...alive, startTicks: 1 })).toBeUndefined();
    expect(endOf({ pid: 4_194_303, startTicks: 1 })).toBeUndefined();
  });

  it('without a free descriptor an exit is seen by polling, and only for those that are still wanted', async () => {
    const used = (): number => readdirSync('/proc/self/fd').length;
    let limit = used() + 60;
    const descriptorBudget = new DescriptorBudget(() => limit);
    const { endOf } = watch(descriptorBudget);
    const [first, second] = [await child('read -r go; exit 7', SLEEP), await child('read -r go')];
    const before = used();
    const ends = [endOf(first), endOf(second)];
    expect(used()).toBe(before + 2);
    limit = before;
    expect(descriptorBudget.isScarce()).toBe(true);
    expect(used()).toBe(before);
    expect(endOf(await child(SLEEP))).toBeUndefined();
    [first, second].forEach(({ finish }) => finish());
    expect([await ends[0], await ends[1]]).toEqual([{ tag: 'code', code: 7 }, { tag: 'unknown' }]);
  });
});
