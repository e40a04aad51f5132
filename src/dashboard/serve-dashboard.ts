// The server of the dashboard. It is a process of its own, not a part of the supervisor, and watches the
// supervisor as any other client does (`docs/dashboard.md`).
import { once } from 'node:events';
import { fromEvent, map, type Observable, type Subscription, takeUntil, timer } from 'rxjs';
import type { MessageEvent, WebSocket } from 'ws';
import type { Sup } from '../client/api/sup-interface.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { answerQuestion } from './answers/answer-question.ts';
import { requestListener } from './http/answer-request.ts';
import { type DashboardPlace, listenForPages } from './http/dashboard-listener.ts';
import { pageFiles } from './http/page-files.ts';
import { sessionKeys } from './http/session-keys.ts';
import { sharedNews } from './live/shared-news.ts';
import { dialogue } from './sockets/page-dialogue.ts';
import { acceptPages } from './sockets/page-sockets.ts';

interface DashboardOptions {
  readonly place: DashboardPlace;
  /** The directory with the files of the page. */
  readonly files: string;
  /** True if pages may change services (`--allow-actions`). */
  readonly actions: boolean;
  readonly version: string;
  /** The name of the machine, which the page shows. */
  readonly host: string;
}

export interface Dashboard {
  /** The URL of the page, with the token. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The limit of a page's send buffer, bytes. While the buffer has more bytes, nothing is sent to the page. */
const MOST_UNSENT = 1024 * 1024;
/** The close code for an internal error (RFC 6455), and the most bytes of the reason that is sent with it. */
const INTERNAL_ERROR = 1011;
const LONGEST_REASON = 120;

/** How long the dashboard watches the supervisor after its own start if no page connects, ms. */
const FIRST_PAGE_MS = 60_000;

const now = (): number => Date.now();

/** Watches the supervisor before any page is connected, so that the first page gets the view at once. */
const awaitFirstPage = (news$: Observable<unknown>): Subscription =>
  // Errors are ignored here: the first page subscribes again and shows them.
  news$.pipe(takeUntil(timer(FIRST_PAGE_MS))).subscribe({ error: () => undefined });

/**
 * Returns the text of a message. For binary data, returns a text that is no valid question and so is refused.
 */
const textOf = ({ data }: MessageEvent): string => (typeof data === 'string' ? data : 'binary');

/**
 * Listens, and resolves when pages can be opened. Rejects with ERR0240 if the place or the files of the page
 * cannot be used.
 */
export const serveDashboard = async (sup: Sup, options: DashboardOptions): Promise<Dashboard> => {
  const { place, actions, version, host } = options;
  const files = pageFiles(options.files);
  const { server, own, url } = await listenForPages(place);
  const keys = sessionKeys(now);
  const news$ = sharedNews(sup, now);
  server.on('request', requestListener({ own, keys, files }));
  const talkTo = (page: WebSocket): void => {
    const reader = { keepsUp: () => page.bufferedAmount < MOST_UNSENT };
    const message$ = fromEvent(page, 'message').pipe(map((event) => textOf(event as MessageEvent)));
    const talk = dialogue(message$, {
      ...{ ...reader, news$, now },
      hello: { news: 'hello', version, host, actions },
      answered: (question) => answerQuestion(question, { ...reader, sup, news$, actions, now }),
    }).subscribe({
      next: (text) => page.send(text),
      error: (error: unknown) => page.close(INTERNAL_ERROR, messageOf(error).slice(0, LONGEST_REASON)),
    });
    page.on('close', () => talk.unsubscribe());
  };
  const endPages = acceptPages(server, { own, keys }, talkTo);
  const firstPage = awaitFirstPage(news$);
  return {
    url: `${url}#token=${keys.token}`,
    close: async () => {
      firstPage.unsubscribe();
      endPages();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
