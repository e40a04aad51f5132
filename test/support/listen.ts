// Subscribes to a stream in a test: an unexpected error fails the run.
import type { Observable, Subscription } from 'rxjs';

export const listen = <T>(source$: Observable<T>, next: (value: T) => void = () => undefined): Subscription =>
  source$.subscribe({
    next,
    error: (error: unknown) => {
      throw error;
    },
  });
