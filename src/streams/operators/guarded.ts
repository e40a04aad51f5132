// The outermost guard around a source or a sink: an unexpected error in it must end neither the stream nor
// the supervisor.
import { asyncScheduler, retry, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs';
import type { Ms } from '../domain/time.ts';
import { after } from './after.ts';

interface Guard {
  readonly onError: (name: string, error: unknown) => void;
  /** The pause between an error and the next subscription. */
  readonly pause: Ms;
  readonly scheduler?: SchedulerLike;
}

/**
 * Reports an error of the source with `onError(name, error)` and resubscribes after `pause`, without limit.
 * Completion passes through. Emissions of a hot source during the pause are lost. Expected failures never
 * arrive here: the sources and sinks emit them as events.
 */
export const guarded = <T>(name: string, guard: Guard): MonoTypeOperatorFunction<T> =>
  retry({
    delay: (error: unknown) => {
      guard.onError(name, error);
      return after(guard.pause, guard.scheduler ?? asyncScheduler);
    },
  });
