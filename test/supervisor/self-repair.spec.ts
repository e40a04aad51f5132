import { of, throwError } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { selfRepair } from '../../src/supervisor/self-repair.ts';
import { listen } from '../support/listen.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the self-repair of files', () => {
  it('self-repair runs each second, refreshes files each time and writes missing ones once', async () => {
    const lost = [false, true, false, false];
    const removed = [false, false, true];
    const done: string[] = [];
    const hold = { mend: () => Promise.resolve(lost.shift() ?? false) };
    const server = { mend: () => Promise.resolve(void done.push('socket')) };
    const ports: Parameters<typeof selfRepair>[0] = {
      hold,
      server,
      renew: () => void done.push('renewed'),
      isRecordLost: () => removed.shift() ?? false,
      mended() {
        return of(done.push('saved'));
      },
    };
    const subscription = listen(selfRepair(ports));
    await vi.advanceTimersByTimeAsync(4_500);
    const look = ['renewed', 'socket'];
    expect(done).toEqual([...look, ...look, 'saved', ...look, ...look, 'saved']);
    subscription.unsubscribe();
  });

  it('self-repair continues although a file could not be restored', async () => {
    let looks = 0;
    const hold = { mend: () => Promise.resolve((looks += 1) > 0) };
    const server = { mend: () => Promise.reject(new Error('no directory')) };
    const ports: Parameters<typeof selfRepair>[0] = {
      hold,
      server,
      renew: () => undefined,
      isRecordLost: () => false,
      mended() {
        return throwError(() => new Error('full'));
      },
    };
    const subscription = listen(selfRepair(ports));
    await vi.advanceTimersByTimeAsync(2_500);
    expect(looks).toBe(2);
    subscription.unsubscribe();
  });
});
