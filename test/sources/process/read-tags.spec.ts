import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { marks } from '../../../src/sources/process/read-tags.ts';
import { environmentOf } from '../../../src/os/proc/process-facts.ts';
import { statReader } from '../../../src/os/proc/process-stat.ts';
import { until } from '../../fixtures/processes/world.ts';

const statOf = statReader();
const marked = async (env: Record<string, string>, dataDir: string): Promise<string | undefined> => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore', env: { PATH: '/usr/bin:/bin', ...env } });
  // During `exec` a process has no environment.
  const stat = await until(() => environmentOf(child.pid!).length > 0 && statOf(child.pid!));
  const mark = marks(dataDir).markOf(stat);
  child.kill('SIGKILL');
  return mark;
};

describe('the mark of a process', () => {
  it('the mark of a process is its unit, if it names this supervisor', async () => {
    const env = { SUP_UNIT: 'shop/web#3', SUP_SUPERVISOR: '/data' };
    expect(await marked(env, '/data')).toBe('shop/web#3');
    expect(await marked(env, '/data2')).toBeUndefined();
    expect(await marked(env, '/dat')).toBeUndefined();
  });

  it('a process without a unit or without an environment has no mark', async () => {
    expect(await marked({ SUP_SUPERVISOR: '/data' }, '/data')).toBeUndefined();
    expect(await marked({}, '/data')).toBeUndefined();
  });

  it('a mark is remembered for one program image, until its process is gone', () => {
    const known = marks('/data');
    const stat = statOf(process.pid)!;
    expect(known.markOf(stat)).toBeUndefined();
    known.retain(new Map());
    expect(known.markOf({ ...stat, environmentAt: '0' })).toBeUndefined();
    expect(known.markOf({ ...stat, pid: 2 ** 30 })).toBeUndefined();
  });
});
