// The page's connection to its server: one WebSocket, which carries the page's questions. If the WebSocket is
// lost, it is opened again after growing pauses.
import {
  catchError,
  concat,
  defer,
  EMPTY,
  filter,
  finalize,
  interval,
  map,
  merge,
  type Observable,
  of,
  repeat,
  share,
  takeUntil,
  takeWhile,
  tap,
  timer,
} from 'rxjs';
import { webSocket } from 'rxjs/webSocket';
import {
  type DashboardAnswer,
  type FromServer,
  type PageNews,
  type Question,
  SOCKET_PATH,
} from '../../page-messages.ts';
import type { LinkState, PageEvent } from '../model/page-model.ts';
import { enter, isRefused } from './enter.ts';

type Unnumbered<Q> = Q extends Question ? Omit<Q, 'id'> : never;
type NewQuestion = Unnumbered<Question>;
type Answered = Exclude<FromServer, PageNews>;

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
const TICK_MS = 1_000;

const linkEvent = (link: LinkState): PageEvent => ({ page: 'link', link });

const isAnswer = (message: PageEvent): message is Answered => 'id' in message;

const isLoss = (event: PageEvent): boolean =>
  'page' in event && event.page === 'link' && event.link !== 'open';

const socketUrl = (): string =>
  `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${SOCKET_PATH}`;

export class DashboardLink {
  readonly #socket$ = webSocket<FromServer | Question>({ url: socketUrl() });
  /**
   * The server's messages, the state of the connection, and the ticks of the clock. The page computes its
   * model from these events.
   */
  readonly events$ = merge(this.#connections(), this.#ticks()).pipe(share());
  #lastId = 0;
  #failures = 0;
  #isOpen = false;
  #isRefused = false;

  /**
   * Returns the answers to a question. A subscription sends the question. The observable completes after the
   * last answer, or when the connection is lost. Unsubscribing before that ends the question at the server.
   */
  ask(question: NewQuestion): Observable<DashboardAnswer> {
    return defer(() => {
      const id = this.#send(question);
      let isOver = false;
      const lost$ = this.events$.pipe(filter(isLoss));
      return this.events$.pipe(
        filter(isAnswer),
        filter((answer) => answer.id === id),
        takeWhile(({ to }) => to === 'logs', true),
        tap({ complete: () => (isOver = true) }),
        finalize(() => {
          if (!isOver && this.#isOpen) this.#send({ ask: 'end', of: id });
        }),
        takeUntil(lost$),
      );
    });
  }

  #send(question: NewQuestion): number {
    this.#lastId += 1;
    this.#socket$.next({ ...question, id: this.#lastId });
    return this.#lastId;
  }

  #connections(): Observable<PageEvent> {
    const received$ = defer(() => this.#socket$).pipe(
      filter((message): message is FromServer => !('ask' in message)),
      tap(() => {
        this.#isOpen = true;
        this.#failures = 0;
      }),
      catchError(() => EMPTY),
      finalize(() => (this.#isOpen = false)),
    );
    const loss$ = concat(
      of(linkEvent('lost')),
      defer(() => this.#afterLoss()),
    );
    const entered$ = defer(enter).pipe(map((isIn) => linkEvent(isIn ? 'connecting' : 'refused')));
    return concat(entered$, concat(received$, loss$).pipe(repeat({ delay: () => this.#pause() })));
  }

  async #afterLoss(): Promise<PageEvent> {
    this.#isRefused = await isRefused();
    return linkEvent(this.#isRefused ? 'refused' : 'lost');
  }

  /** Emits when it is time to connect again. Emits nothing if the server knows no session of this browser. */
  #pause(): Observable<unknown> {
    if (this.#isRefused) return EMPTY;
    this.#failures += 1;
    return timer(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures));
  }

  #ticks(): Observable<PageEvent> {
    return interval(TICK_MS).pipe(map(() => ({ page: 'tick', now: Date.now() })));
  }
}
