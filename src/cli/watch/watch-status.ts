// `sup status --watch`: the live view, on the whole terminal or (`--json`) one document per line
// (`sup.view/1`). If the supervisor ends, it waits for the next one.
import { concat, fromEvent, type Observable, of, share, switchMap, takeUntil, throwError, timer } from 'rxjs';
import { isUnanswered, failedWith } from '../../client/client-failure.ts';
import type { Client } from '../../client/client.ts';
import { connectIfRunning } from '../../client/find-supervisor.ts';
import { links } from '../../client/reconnecting-link.ts';
import type { Selection } from '../../streams/domain/command.ts';
import { Failure } from '../../streams/views/errors/command-failure.ts';
import { EXIT, type CommandStatus } from '../../streams/wire/exit-status.ts';
import type { Context } from '../context.ts';
import { isUnfolded } from '../render/grouped-rows.ts';
import { enoughFor } from '../until-interrupted.ts';
import { type News, newsOf } from './news.ts';
import { onTerminal } from './on-terminal.ts';
import { sessionOf } from './session.ts';
import { documents } from './watch-documents.ts';

const ANSWER_MS = 800;
/** How long documents wait for another supervisor, ms. */
const PATIENCE_MS = 30_000;

const whoAnswers = async (dataDir: string): Promise<Client | undefined> => {
  try {
    return await connectIfRunning(dataDir, ANSWER_MS);
  } catch (thrown) {
    if (isUnanswered(thrown)) return undefined;
    throw thrown;
  }
};

/** Returns a function that connects; the first time to this client. */
const connecting = (dataDir: string, first: Client | undefined): (() => Promise<Client>) => {
  let ready = first;
  return async () => {
    const client = ready ?? (await connectIfRunning(dataDir, ANSWER_MS));
    ready = undefined;
    if (client === undefined) throw failedWith({ code: 'ERR0206', dataDir });
    return client;
  };
};

/** Throws if no supervisor is found within `PATIENCE_MS` after a loss. */
function impatient(news$: Observable<News>): Observable<News> {
  return news$.pipe(
    switchMap((news) =>
      news.tag === 'lost'
        ? concat(
            of(news),
            timer(PATIENCE_MS).pipe(switchMap(() => throwError(() => new Failure(news.error, 'offline')))),
          )
        : of(news),
    ),
  );
}

/** Resolves when the view is over; rejects with what ended it. */
const over = (view$: Observable<unknown>): Promise<void> =>
  new Promise((resolve, reject) => view$.subscribe({ error: reject, complete: resolve }));

/** Resolves to the exit status; to `undefined` if no supervisor answers and there is no terminal. */
export const watchStatus = async (
  context: Context,
  selection: Selection,
): Promise<CommandStatus | undefined> => {
  const first = await whoAnswers(context.dataDir);
  if (first === undefined && context.json) return undefined;
  const link$ = links(connecting(context.dataDir, first));
  const news$ = newsOf(link$, selection).pipe(share());
  const { enough, deafen } = enoughFor(context.world);
  const stage = { context, news$, session: sessionOf(context, link$, selection) };
  const own = {
    isWhole: Object.keys(selection).length === 0,
    unfolded: isUnfolded(context, selection.services),
  };
  const view$ = context.json ? documents(impatient(news$), context) : onTerminal(stage, own);
  try {
    await over(view$.pipe(takeUntil(fromEvent(enough.signal, 'abort'))));
    return EXIT.done;
  } finally {
    deafen();
  }
};
