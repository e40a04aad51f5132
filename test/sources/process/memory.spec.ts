import { spawn } from 'node:child_process';
import { of, take } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { memory } from '../../../src/sources/process/run-memory.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import { all, refOf, RUN, sh, specOf, until } from '../../fixtures/processes/world.ts';

const children: ReturnType<typeof spawn>[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

const ourselves = (): ProcessRef => {
  const found = refOf(process.pid);
  if (found === undefined) throw new Error('this process has no start time');
  return found;
};

/** A process that has just begun, as `sup spawn` has. */
const begun = (): Promise<ProcessRef> => {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  children.push(child);
  return until(() => refOf(child.pid ?? 0));
};

const weighed = async (leader: ProcessRef, members: readonly ProcessRef[]): Promise<number> => {
  const look$ = memory({ census: { membersOf: () => of(members) } })({
    ...{ type: 'memory', key: 'memory', service: specOf(sh('')).id, run: RUN, limit: 1 },
    trees: [{ run: RUN, process: leader }],
  });
  const [event] = await all(look$.pipe(take(1)));
  return event?.type === 'weighed' ? event.bytes : 0;
};

describe('the memory of a service and its children', () => {
  it('a process that has just started does not count, since sup spawn is one', async () => {
    expect(await weighed(ourselves(), [await begun()])).toBe(0);
  });

  it('the main process counts at once, and any other one after a while', async () => {
    const leader = await begun();
    const alone = await weighed(leader, [leader]);
    expect(alone).toBeGreaterThan(0);
    expect(await weighed(leader, [leader, ourselves()])).toBeGreaterThan(alone);
  });
});
