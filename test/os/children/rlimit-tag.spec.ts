// Needs the native addon.
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { rlimitTagFor, rlimitTagOf, taggedStarter, marksBorn } from '../../../src/os/children/rlimit-tag.ts';
import { nameOfProcess, processIds } from '../../../src/os/proc/process-facts.ts';
import { start, until } from '../../fixtures/processes/world.ts';
import { libcOfThisMachine } from '../support.ts';

/** Not that of the same test in another process. */
const DATA = `/data/${process.pid}`;
const environment = { PATH: '/usr/bin:/bin', SUP_SUPERVISOR: DATA, SUP_UNIT: 'shop/web#3' };

describe('the rlimit tag of a run', () => {
  it('the tag names the run, the unit and the supervisor', () => {
    const told = marksBorn(DATA, ['shop/db', 'shop/web']);
    for (const mark of ['shop/web#3', 'shop/db#1', 'shop/web#16777215'])
      expect(told(rlimitTagFor(DATA, mark))).toBe(mark);
    expect(told(rlimitTagFor(DATA, 'shop/api#3'))).toBeUndefined();
    expect(told(rlimitTagFor('/other', 'shop/web#3'))).toBeUndefined();
  });

  it('the tag is on a started process and its children, even with an empty environment', async () => {
    const line = 'env -i setsid sh -c "sleep 60 & exit 0"; exec sleep 60';
    const mark = rlimitTagFor(DATA, 'shop/web#3');
    const sleeping = (): readonly number[] =>
      processIds().filter((pid) => rlimitTagOf(pid) === mark && nameOfProcess(pid) === 'sleep');
    await start({ argv: ['/bin/sh', '-c', line], directory: '/', environment });
    const bearers = await until(() => (sleeping().length === 2 ? sleeping() : undefined));
    bearers.forEach((pid) => process.kill(pid, 'SIGKILL'));
  });

  it('the tag is neither on this process nor on one that is started without a run', async () => {
    const { process: sleeper } = await start({
      argv: ['sleep', '60'],
      directory: '/',
      environment: { PATH: '/usr/bin:/bin' },
    });
    expect([process.pid, sleeper.pid].map(rlimitTagOf)).toEqual([undefined, undefined]);
    process.kill(sleeper.pid, 'SIGKILL');
  });

  it('this process has the tag only during a start, also if that fails', () => {
    const born = taggedStarter(libcOfThisMachine());
    const within = born(environment, () => Number(rlimitTagOf(process.pid) !== undefined));
    expect(within).toBe(1);
    expect(() =>
      born(environment, () => {
        throw new Error('refused');
      }),
    ).toThrow('refused');
    expect(rlimitTagOf(process.pid)).toBeUndefined();
  });

  it('an exited process has no tag', async () => {
    const child = spawn('true');
    await new Promise((resolve) => child.on('exit', resolve));
    expect(rlimitTagOf(child.pid ?? 0)).toBeUndefined();
  });
});
