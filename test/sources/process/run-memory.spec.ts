import { spawn } from 'node:child_process';
import { map, NEVER, type Observable, of, take, takeUntil, takeWhile, tap, timer } from 'rxjs';
import { ms } from '../../../src/streams/domain/time.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { countersReader } from '../../../src/os/proc/counters.ts';
import { memory, peaks, resident } from '../../../src/sources/process/run-memory.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import type { PeakWatch } from '../../../src/streams/domain/watch.ts';
import { all, refOf, RUN, sh, specOf, until } from '../../fixtures/processes/world.ts';

const children: ReturnType<typeof spawn>[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

const ourselves = (): ProcessRef => {
  const found = refOf(process.pid);
  if (found === undefined) throw new Error('this process has no start time');
  return found;
};

/** A process that has just begun, as `sup spawn` has. Right after `exec` the kernel may still count no memory. */
const begun = (): Promise<ProcessRef> => {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  children.push(child);
  const { read } = countersReader(0);
  return until(() => (read(child.pid ?? 0)?.rssPages ?? 0) > 0 && refOf(child.pid ?? 0));
};

const weighed = async (leader: ProcessRef, members: readonly ProcessRef[]): Promise<number> => {
  const look$ = memory({ scanner: { membersOf: () => of(members) } })({
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

describe('the memory of a run with max_memory', () => {
  const measured = async (limit: number, until$: Observable<unknown> = NEVER): Promise<readonly number[]> => {
    const look$ = resident({ scanner: { membersOf: () => of([ourselves()]) } })({
      ...{ type: 'resident', key: 'resident', service: specOf(sh('')).id, run: RUN, process: ourselves() },
      ...{ limit, every: ms(20) },
    });
    const events = await all(look$.pipe(take(2), takeUntil(until$)));
    return events.map((event) => (event.type === 'measured' ? event.bytes : 0));
  };

  it('memory over the limit is reported at each look, as proportional memory if that can be read', async () => {
    const [first = 0, ...more] = await measured(1);
    expect(first).toBeGreaterThan(1_000_000);
    expect(first).toBeLessThanOrEqual(process.memoryUsage.rss() * 1.5);
    expect(more.length).toBe(1);
  });

  it('memory under the limit is reported once', async () => {
    expect((await measured(1e15, timer(500))).length).toBe(1);
  });
});

const MIB = 1024 * 1024;
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

const bytesOf = (event: Event): number => (event.type === 'peaked' ? event.peakBytes : 0);

/** `go` ends the input of the process. */
const watchOf = async (code: string): Promise<PeakWatch & { readonly go: () => void }> => {
  const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'ignore', 'ignore'] });
  children.push(child);
  const found = await until(() => refOf(child.pid ?? 0));
  const watch = { type: 'peak', key: 'peak', service: specOf(sh('')).id, run: RUN, process: found } as const;
  return { ...watch, go: () => child.stdin.end() };
};

describe('the peak memory of a run', () => {
  it('the peak grows with the run and never falls', async () => {
    const watch = await watchOf(
      'process.stdin.resume().once("end", () => { const big = Buffer.alloc(200 * 1024 * 1024, 1); setInterval(() => big.length, 1000); })',
    );
    const sizes = (
      await all(
        peaks(watch).pipe(
          map(bytesOf),
          tap(watch.go),
          takeWhile((bytes) => bytes < 200 * MIB, true),
        ),
      )
    ).slice();
    expect(sizes.at(-1)).toBeGreaterThan(200 * MIB);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  });

  it('the peak of a reused pid is unknown', async () => {
    const watch = await watchOf('setInterval(() => 0, 1000)');
    const stranger = { ...watch, process: { ...watch.process, startTicks: watch.process.startTicks - 1 } };
    let heard = 0;
    const subscription = peaks(stranger).subscribe({ next: () => (heard += 1), error: () => (heard += 1) });
    const [seen] = await all(peaks(watch).pipe(take(1)));
    subscription.unsubscribe();
    expect(seen).toMatchObject({ type: 'peaked', run: RUN });
    expect(seen && bytesOf(seen)).toBeGreaterThan(0);
    expect(heard).toBe(0);
  });
});
