// Sends the view that all pages share to one page: first the whole view, then the changes. If a page reads
// too slowly, no changes are queued for it. It gets the whole view again when it has caught up.
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

/** A message for all pages as JSON text, about a change or about samples, and the view after the change. */
export interface SharedNews {
  readonly text: string;
  readonly seen: SharedView;
  /** Returns the message with the whole view `seen` as JSON text. */
  readonly view: () => string;
}

/** How often a slow page is checked for having caught up, ms. */
const CAUGHT_UP_MS = 200;

export interface PageReader {
  /** False while the page has not yet read too much of what was sent to it. */
  readonly keepsUp: () => boolean;
  readonly scheduler?: SchedulerLike;
}

/** Emits the messages to one page, as text. `news$` must replay its newest value to each new subscriber. */
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
