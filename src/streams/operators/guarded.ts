// Protects a source or a sink against unexpected errors: such an error must end neither the stream nor the
// supervisor.
import { asyncScheduler, retry, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs';
import type { Ms } from '../domain/time.ts';
import { after } from './after.ts';

interface Guard {
  readonly onError: (name: string, error: unknown) => void;
  /** The pause after an error until the stream is subscribed to again. */
  readonly pause: Ms;
  readonly scheduler?: SchedulerLike;
}

/**
 * Reports an error of the stream with `onError(name, error)` and subscribes again after `pause`, without
 * limit. Completion is passed on. Emissions of a hot source during the pause are lost. Expected failures are
 * no errors here: sources and sinks emit them as events.
 */
export const guarded = <T>(name: string, guard: Guard): MonoTypeOperatorFunction<T> =>
  retry({
    delay: (error: unknown) => {
      guard.onError(name, error);
      return after(guard.pause, guard.scheduler ?? asyncScheduler);
    },
  });
