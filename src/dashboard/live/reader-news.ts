// What one page gets of the shared view: all of it first, then changes. A page that reads too slowly gets all
// again once it has caught up. Nothing is queued for it.
import {
  concat,
  exhaustMap,
  filter,
  interval,
  map,
  type Observable,
  of,
  type SchedulerLike,
  skip,
  switchMap,
  take,
} from 'rxjs';
import type { SharedView } from './view-changes.ts';

/** A change or samples as text, and the view that it leads to. */
export interface SharedNews {
  readonly text: string;
  readonly seen: SharedView;
  /** Returns `seen` as text. */
  readonly view: () => string;
}

/** How often a slow page is looked at, ms. */
const CAUGHT_UP_MS = 200;

export interface PageReader {
  /** True if the page has read most of what was sent. */
  readonly keepsUp: () => boolean;
  readonly scheduler?: SchedulerLike;
}

/** `news$` emits the newest one to each subscriber at once. */
export function readerNews(
  news$: Observable<SharedNews>,
  { keepsUp, scheduler }: PageReader,
): Observable<string> {
  const whole$ = news$.pipe(
    take(1),
    map(({ view }) => view()),
  );
  const caughtUp$ = interval(CAUGHT_UP_MS, scheduler).pipe(
    filter(keepsUp),
    take(1),
    switchMap(() => whole$),
  );
  return concat(
    whole$,
    news$.pipe(
      skip(1),
      exhaustMap(({ text }) => (keepsUp() ? of(text) : caughtUp$)),
    ),
  );
}
