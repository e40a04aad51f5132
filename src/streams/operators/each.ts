import { Observable, type OperatorFunction } from 'rxjs';

/**
 * Returns an operator that emits, for each value, the elements of `select(value)` in order. It is faster than
 * `concatMap`, which would subscribe to each list.
 */
export const each =
  <T, R>(select: (value: T) => readonly R[]): OperatorFunction<T, R> =>
  (source$) =>
    new Observable((subscriber) => {
      const partsOf = (value: T): readonly R[] => {
        try {
          return select(value);
        } catch (error) {
          subscriber.error(error);
          return [];
        }
      };
      const error = (cause: unknown): void => subscriber.error(cause);
      const complete = (): void => subscriber.complete();
      const next = (value: T): void => {
        for (const part of partsOf(value)) subscriber.next(part);
      };
      subscriber.add(source$.subscribe({ next, error, complete }));
    });
