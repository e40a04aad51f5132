import inspector from 'node:inspector';
import { lastValueFrom, map, take, toArray, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { signals } from '../../src/sources/signals.ts';

/** The next few signals, once all of them have come. */
const next = (count: number): Promise<readonly string[]> => {
  const name$: Observable<string> = signals(process).pipe(map(({ signal }) => signal));
  return lastValueFrom(name$.pipe(take(count), toArray()), { defaultValue: [] });
};

const NAMES = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

describe('signals', () => {
  it.each(NAMES)('a signal reports %s', async (signal) => {
    const told = next(1);
    process.kill(process.pid, signal);
    expect(await told).toEqual([signal]);
  });

  it('signals are reported in order', async () => {
    const told = next(2);
    process.kill(process.pid, 'SIGHUP');
    process.kill(process.pid, 'SIGINT');
    expect((await told).toSorted()).toEqual(['SIGHUP', 'SIGINT']);
  });

  it('signals without a meaning change nothing', async () => {
    const told = next(1);
    process.kill(process.pid, 'SIGUSR2');
    process.kill(process.pid, 'SIGUSR1');
    await new Promise((settle) => setImmediate(settle));
    process.kill(process.pid, 'SIGHUP');
    expect(await told).toEqual(['SIGHUP']);
    expect(inspector.url()).toBeUndefined();
  });

  it('no signal handler is left', async () => {
    const before = NAMES.map((name) => process.listenerCount(name));
    const told = next(1);
    process.kill(process.pid, 'SIGHUP');
    await told;
    expect(NAMES.map((name) => process.listenerCount(name))).toEqual(before);
  });
});
