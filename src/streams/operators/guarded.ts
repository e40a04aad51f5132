// The last fence around a source or a sink: an error in it must not end it, let alone the supervisor.
import { asyncScheduler, retry, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs';
import type { Ms } from '../domain/time.ts';
import { after } from './after.ts';

interface Guard {
  readonly onError: (name: string, error: unknown) => void;
  /** Between an error and the next attempt. */
  readonly pause: Ms;
  readonly scheduler?: SchedulerLike;
}

/**
 * Reports an error of the source as `onError(name, error)`, and opens the source again after `pause`, for ever. Its
 * completion passes. What a hot source says during the pause is missed: expected failures are events, caught at the
 * innermost place, and never get here.
 */
export const guarded = <T>(name: string, guard: Guard): MonoTypeOperatorFunction<T> =>
  retry({
    delay: (error: unknown) => {
      guard.onError(name, error);
      return after(guard.pause, guard.scheduler ?? asyncScheduler);
    },
  });
