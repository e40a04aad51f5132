import { asyncScheduler, concat, map, NEVER, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { keepWritten, type KeepWrittenPorts } from '../../../src/sinks/store/registry-writer.ts';
import { rxTest } from '../../support/rx-test.ts';

/** A disk that takes its time, and fails while it is full; what was written, and when. */
const disk = (
  { takes, fullUntil = 0 }: { takes: number; fullUntil?: number },
  begun = asyncScheduler.now(),
): { ports: KeepWrittenPorts<string>; heard: string[] } => {
  const heard: string[] = [];
  const now = (): number => asyncScheduler.now() - begun;
  const ports: KeepWrittenPorts<string> = {
    what: 'the state',
    logError: (text) => heard.push(text),
    now,
    write(value) {
      return timer(takes).pipe(
        map(() => {
          if (now() < fullUntil) throw new Error('ENOSPC');
          heard.push(`${value} at ${now()}`);
        }),
      );
    },
  };
  return { ports, heard };
};

describe('a value kept in a file', () => {
  it('the first value is written at once, and of later ones the newest', () => {
    rxTest((rx) => {
      const { ports, heard } = disk({ takes: 2 });
      const value$ = concat(rx.cold('abc 47ms d 60ms e'), NEVER);
      rx.expectObservable(value$.pipe(keepWritten(ports)), '1s !').toBe('');
      rx.flush();
      // A pause of 100 ms stands behind each write.
      expect(heard).toEqual(['a at 2', 'd at 104', 'e at 206']);
    });
  });

  it('writing takes at most a fifth of the time', () => {
    rxTest((rx) => {
      const { ports, heard } = disk({ takes: 200 });
      rx.expectObservable(concat(rx.cold('ab 98ms c'), NEVER).pipe(keepWritten(ports)), '4s !').toBe('');
      rx.flush();
      expect(heard).toEqual(['a at 200', 'c at 1400']);
    });
  });

  it('a delayed value is written although the values have ended', () => {
    rxTest((rx) => {
      const { ports, heard } = disk({ takes: 1 });
      rx.expectObservable(rx.cold('(ab|)').pipe(keepWritten(ports)), '1s !').toBe('');
      rx.flush();
      expect(heard).toEqual(['a at 1', 'b at 102']);
    });
  });

  it('a full disk is reported once and retried; then the newest value is written and that is reported', () => {
    rxTest((rx) => {
      const { ports, heard } = disk({ takes: 1, fullUntil: 1200 });
      rx.expectObservable(concat(rx.cold('a 600ms bc'), NEVER).pipe(keepWritten(ports)), '3s !').toBe('');
      rx.flush();
      expect(heard).toEqual([
        'the state cannot be saved: ENOSPC; it is tried again',
        'c at 1504',
        'the state is saved again',
        'c at 1605',
      ]);
    });
  });

  it('retries end with the subscription', () => {
    rxTest((rx) => {
      let tried = 0;
      const ports: KeepWrittenPorts<string> = {
        what: 'the state',
        logError: () => undefined,
        write() {
          tried += 1;
          return throwError(() => new Error('ENOSPC'));
        },
      };
      rx.expectObservable(concat(rx.cold('a'), NEVER).pipe(keepWritten(ports)), '1200ms !').toBe('');
      rx.flush();
      expect(tried).toBe(3);
    });
  });
});
