// Protects a source or sink against unexpected errors, which must end neither the stream nor the supervisor.
import { asyncScheduler, retry, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs';
import type { Ms } from '../domain/time.ts';
import { after } from './long-timer.ts';

interface Guard {
  readonly onError: (name: string, error: unknown) => void;
  /** The pause after an error, before the stream is subscribed to again. */
  readonly pause: Ms;
  readonly scheduler?: SchedulerLike;
}

/**
 * Returns an operator that reports an error and subscribes again after `pause`, without limit. Values that a
 * hot source emits during the pause are lost.
 */
export const guarded = <T>(name: string, guard: Guard): MonoTypeOperatorFunction<T> =>
  retry({
    delay: (error: unknown) => {
      guard.onError(name, error);
      return after(guard.pause, guard.scheduler ?? asyncScheduler);
    },
  });
