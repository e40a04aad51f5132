// Protects a source or sink against unexpected errors, which must end neither the stream nor the supervisor.
import { asyncScheduler, retry, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs';
import type { Ms } from '../domain/time.ts';
import { after } from './long-timer.ts';

interface Guard {
  readonly onError: (name: string, error: unknown) => void;
  /** The pause between an error and the next subscription to the stream. */
  readonly pause: Ms;
  readonly scheduler?: SchedulerLike;
}

/**
 * Returns an operator that reports each error of the stream, and then subscribes to the stream again after
 * `pause`, any number of times. Values that a hot source emits during the pause are lost.
 */
export const guarded = <T>(name: string, guard: Guard): MonoTypeOperatorFunction<T> =>
  retry({
    delay: (error: unknown) => {
      guard.onError(name, error);
      return after(guard.pause, guard.scheduler ?? asyncScheduler);
    },
  });
