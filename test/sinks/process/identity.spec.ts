import { describe, expect, it } from 'vitest';
import { standingOf, standingOfProcess } from '../../../src/sinks/process/identity.ts';
import { refOf } from '../../fixtures/processes/world.ts';

describe('the standing of a process', () => {
  it('is known by pid and start time together', () => {
    const own = refOf(process.pid)!;
    expect(standingOfProcess(own)?.startTicks).toBe(own.startTicks);
    expect(standingOfProcess({ pid: own.pid, startTicks: own.startTicks + 1 })).toBeUndefined();
  });

  it('is undefined where nobody is', () => {
    expect(standingOf(2 ** 30)).toBeUndefined();
  });
});
