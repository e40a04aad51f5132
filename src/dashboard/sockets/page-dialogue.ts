// All messages to one page: `hello`, the view and its changes, and the answers to the page's questions.
import { concat, filter, finalize, map, merge, mergeMap, type Observable, of, share, takeUntil } from 'rxjs';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import type { DashboardAnswer, FromServer, PageNews, Question } from '../page-messages.ts';
import { allowance } from '../http/session-keys.ts';
import { type PageReader, readerNews, type SharedNews } from '../live/reader-news.ts';
import { readQuestion, type Read } from './read-question.ts';

/** The most questions that a page may have open. A question that ends another question is always accepted. */
const MOST_OPEN = 32;
/** The most messages that a page may send at once, and how many more it may send each second. */
const MOST_AT_ONCE = 100;
const PER_SECOND = 50;

interface Dialogue extends PageReader {
  readonly hello: Extract<PageNews, { readonly news: 'hello' }>;
  readonly news$: Observable<SharedNews>;
  answered(question: Question): Observable<DashboardAnswer>;
  /** Returns the time in ms for the limits per second. */
  readonly now: () => number;
}

const refused = (detail: string): DashboardAnswer => ({
  ...{ to: 'failed', error: errorDocument({ code: 'ERR0239', detail }) },
});

/** Returns a function that returns why a message must be refused, or `undefined` if it may be answered. */
const limits = (open: ReadonlySet<number>, now: () => number): ((read: Read) => string | undefined) => {
  const mayAsk = allowance(MOST_AT_ONCE, PER_SECOND, now);
  return (read) => {
    if (!mayAsk()) return `more than ${PER_SECOND} questions in a second`;
    if (!read.ok) return read.problem;
    if (open.has(read.question.id)) return `id: ${read.question.id} is in use`;
    const isFull = open.size >= MOST_OPEN && read.question.ask !== 'end';
    return isFull ? `more than ${MOST_OPEN} questions are open` : undefined;
  };
};

/** Emits when the page ends the question. */
function ended(id: number, read$: Observable<Read>): Observable<Read> {
  return read$.pipe(filter((read) => read.ok && read.question.ask === 'end' && read.question.of === id));
}

/** Emits the answers to the messages of a page. */
function answers(message$: Observable<string>, ports: Dialogue): Observable<FromServer> {
  const open = new Set<number>();
  const problemOf = limits(open, ports.now);
  const read$ = message$.pipe(map(readQuestion), share());
  function answersTo(question: Question): Observable<FromServer> {
    const { id } = question;
    open.add(id);
    return ports.answered(question).pipe(
      map((answer) => ({ id, ...answer })),
      takeUntil(ended(id, read$)),
      finalize(() => open.delete(id)),
    );
  }
  return read$.pipe(
    mergeMap((read) => {
      const problem = problemOf(read);
      if (read.ok && problem === undefined) return answersTo(read.question);
      return of({ id: read.ok ? read.question.id : read.id, ...refused(problem ?? '') });
    }),
  );
}

/**
 * Emits the messages to a page, as text. `message$`: the messages of the page, subscribed to several times.
 */
export function dialogue(message$: Observable<string>, ports: Dialogue): Observable<string> {
  return merge(
    concat(of(JSON.stringify(ports.hello)), readerNews(ports.news$, ports)),
    answers(message$, ports).pipe(map((answer) => JSON.stringify(answer))),
  );
}
