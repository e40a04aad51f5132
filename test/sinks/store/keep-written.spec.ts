import { interval, map, Subject, take } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { keepWritten } from '../../../src/sinks/store/keep-written.ts';
import { listen } from '../../support/listen.ts';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A disk that can be full. */
const disk = (): {
  full: boolean;
  written: number[];
  troubles: string[];
  ports: Parameters<typeof keepWritten<number>>[0];
} => {
  const state = {
    full: false,
    written: [] as number[],
    troubles: [] as string[],
    ports: {
      what: 'the state',
      onTrouble: (text: string) => state.troubles.push(text),
      write: async (value: number): Promise<void> => {
        await settled();
        if (state.full) throw new Error('ENOSPC: no space left on device');
        state.written.push(value);
      },
    },
  };
  return state;
};

describe('a file that is kept written', () => {
  it('takes the first value at once and the last one in the end, and few of a thousand', async () => {
    const { written, ports } = disk();
    const subscription = listen(interval(0).pipe(take(500), keepWritten(ports)));
    await vi.waitFor(() => expect(written.at(-1)).toBe(499), 5_000);
    expect(written[0]).toBe(0);
    expect(written.length).toBeLessThan(30);
    subscription.unsubscribe();
  });

  it('says once that the disk is full, tries again, then writes the newest value and says so', async () => {
    const full = disk();
    full.full = true;
    const value$ = new Subject<number>();
    const subscription = listen(value$.pipe(keepWritten(full.ports)));
    value$.next(1);
    await vi.waitFor(() => expect(full.troubles).toHaveLength(1));
    value$.next(2);
    value$.next(3);
    await new Promise((resolve) => setTimeout(resolve, 700));
    full.full = false;
    await vi.waitFor(() => expect(full.troubles).toHaveLength(2), 2_000);
    expect(full.troubles).toEqual([
      'the state cannot be saved: ENOSPC: no space left on device; it is tried again',
      'the state is saved again',
    ]);
    expect(full.written[0]).toBe(3);
    subscription.unsubscribe();
  });

  it('stops trying when nobody listens any more', async () => {
    const full = disk();
    full.full = true;
    const subscription = listen(
      interval(1).pipe(
        map(() => 1),
        keepWritten(full.ports),
      ),
    );
    await vi.waitFor(() => expect(full.troubles).toHaveLength(1));
    subscription.unsubscribe();
    full.full = false;
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(full.written).toEqual([]);
  });
});
