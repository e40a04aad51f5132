// Late readers of a stream get its last value at once.
import { ReplaySubject, share, type MonoTypeOperatorFunction } from 'rxjs';

/**
 * Shares one subscription of the source and replays its last value to whoever comes late. When it forgets:
 * - with the last reader the source is closed and the value dropped; the next reader opens it anew and sees no relic;
 * - on error everybody is told, the value is dropped, and the next reader opens the source anew;
 * - on completion the last value stays: later readers get it and the completion, the source stays closed.
 */
export const latest = <T>(): MonoTypeOperatorFunction<T> =>
  share({
    connector: () => new ReplaySubject<T>(1),
    resetOnRefCountZero: true,
    resetOnError: true,
    resetOnComplete: false,
  });
