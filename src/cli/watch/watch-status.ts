// `sup status --watch`: the live view, on the whole terminal or with `--json` as one document per line
// (`sup.view/1`). If the supervisor ends, the view waits for the next supervisor.
import { concat, fromEvent, type Observable, of, share, switchMap, takeUntil, throwError, timer } from 'rxjs';
import { failedWith, isSilent, isUnanswered } from '../../client/client-failure.ts';
import type { Client } from '../../client/client.ts';
import { connectIfRunning } from '../../client/wait-for-supervisor.ts';
import { links } from '../../client/reconnecting-link.ts';
import type { Selection } from '../../streams/domain/command.ts';
import { Failure } from '../../streams/views/errors/command-failure.ts';
import { EXIT, type CommandStatus } from '../../streams/wire/command-exit-status.ts';
import type { Context } from '../context.ts';
import { isUnfolded } from '../render/grouped-rows.ts';
import { enoughFor } from '../until-interrupted.ts';
import { type News, newsOf } from './news.ts';
import { onTerminal } from './on-terminal.ts';
import { sessionOf } from './session.ts';
import { documents } from './watch-documents.ts';

const ANSWER_MS = 800;
/**
 * How long the live view waits for another supervisor after the connection is lost, if it prints documents,
 * ms.
 */
const PATIENCE_MS = 30_000;

interface Presence {
  /** The connection to the supervisor; absent if no supervisor answers at once. */
  readonly client?: Client | undefined;
  /** True if a supervisor runs, but is too busy to answer at once. The view then waits for its answer. */
  readonly isSilent: boolean;
}

const presenceOf = async (dataDir: string): Promise<Presence> => {
  try {
    return { client: await connectIfRunning(dataDir, ANSWER_MS), isSilent: false };
  } catch (thrown) {
    if (!isUnanswered(thrown)) throw thrown;
    // A supervisor with another protocol has answered: that failure contains no `error`.
    return { isSilent: isSilent(thrown) && thrown.error !== undefined };
  }
};

/**
 * Returns a function that connects to the supervisor. If `first` is defined, its first call returns `first`.
 */
const connecting = (dataDir: string, first: Client | undefined): (() => Promise<Client>) => {
  let ready = first;
  return async () => {
    const client = ready ?? (await connectIfRunning(dataDir, ANSWER_MS));
    ready = undefined;
    if (client === undefined) throw failedWith({ code: 'ERR0206', dataDir });
    return client;
  };
};

/** Emits the news, but fails if no supervisor answers within `PATIENCE_MS` after a loss. */
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

/** Resolves when the view completes; rejects with its error. */
const over = (view$: Observable<unknown>): Promise<void> =>
  new Promise((resolve, reject) => view$.subscribe({ error: reject, complete: resolve }));

/**
 * Shows the live view until it ends, and resolves to the exit status of the command. If the view would print
 * documents and no supervisor runs, prints nothing and resolves to `undefined`.
 */
export const watchStatus = async (
  context: Context,
  selection: Selection,
): Promise<CommandStatus | undefined> => {
  const { client, isSilent: isBusy } = await presenceOf(context.dataDir);
  if (client === undefined && !isBusy && context.json) return undefined;
  const link$ = links(connecting(context.dataDir, client));
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
