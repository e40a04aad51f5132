// `sup status --watch`: the live view, on the whole terminal or (`--json`) one document per line
// (`sup.view/1`). If the supervisor ends, it waits for the next one.
import { setTimeout as pause } from 'node:timers/promises';
import type { Selection } from '../../streams/domain/command.ts';
import type { Client } from '../../client/client.ts';
import { type ClientFailure, isUnanswered } from '../../client/client-failure.ts';
import type { Context } from '../context.ts';
import { connectIfRunning } from '../../client/find-supervisor.ts';
import { explained } from '../../client/inspect/explain.ts';
import { isUnfolded } from '../render/grouped-rows.ts';
import type { Inspector } from '../../client/inspect/inspector.ts';
import { EXIT, type CommandStatus } from '../../streams/wire/exit-status.ts';
import { Failure } from '../../streams/views/errors/command-failure.ts';
import { onTerminal } from './on-terminal.ts';
import { asDocuments, type Session, type Viewer } from './viewer.ts';
import { enoughFor } from '../until-interrupted.ts';

const ANSWER_MS = 800;
/** How long to wait for another supervisor, ms. */
const PATIENCE_MS = 30_000;
const AGAIN_MS = 250;
/** Timeout for a command that a key press starts, ms. It is long because a stop can take long. */
const COMMAND_MS = 120_000;

const viewerFor = (context: Context, session: Session): Viewer =>
  context.json ? asDocuments(context) : onTerminal(context, session);

/** Resolves when the connection has ended, with the failure; or when the user quits, with `undefined`. */
const untilOver = (client: Client, { signal }: AbortController): Promise<ClientFailure | undefined> =>
  new Promise((settle) => {
    const enough = (): void => settle(undefined);
    if (signal.aborted) enough();
    signal.addEventListener('abort', enough, { once: true });
    void client.ended.then(settle);
  });

interface Watching {
  readonly selection: Selection;
  readonly viewer: Viewer;
  readonly enough: AbortController;
  client: Client;
}

/** Watches the services. Resolves to the failure that ended it, or `undefined` if the user quits. */
const follow = async ({
  client,
  selection,
  viewer,
  enough,
}: Watching): Promise<ClientFailure | undefined> => {
  viewer.found(client.hello);
  client.onHello(viewer.upgraded);
  client.onView(viewer.see);
  try {
    await client.call('watch', selection);
    return await untilOver(client, enough);
  } catch (thrown) {
    if (isUnanswered(thrown)) return thrown;
    throw thrown;
  }
};

/** Resolves to a client of the next supervisor, if one is found within `PATIENCE_MS`. */
const foundAgain = async (dataDir: string, { signal }: AbortController): Promise<Client | undefined> => {
  const until = performance.now() + PATIENCE_MS;
  while (!signal.aborted && performance.now() < until) {
    const client = await connectIfRunning(dataDir, ANSWER_MS).catch(() => undefined);
    if (client !== undefined) return client;
    await pause(AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
};

const isEnough = ({ signal }: AbortController): boolean => signal.aborted;

/** Watches one supervisor after the other until the user quits. Rejects if no further supervisor is found. */
const watchOn = async (dataDir: string, watching: Watching): Promise<void> => {
  const { viewer, enough } = watching;
  while (!isEnough(enough)) {
    const failed = await follow(watching);
    if (failed === undefined) return;
    viewer.lost(failed);
    const next = await foundAgain(dataDir, enough);
    if (next !== undefined) watching.client = next;
    else if (!isEnough(enough)) throw new Failure(failed.document, 'offline');
  }
};

const whoAnswers = async (dataDir: string): Promise<Client | undefined> => {
  try {
    return await connectIfRunning(dataDir, ANSWER_MS);
  } catch (thrown) {
    if (isUnanswered(thrown)) return undefined;
    throw thrown;
  }
};

/** Resolves to the exit status; to `undefined` if no supervisor answers. */
export const watchStatus = async (
  context: Context,
  selection: Selection,
): Promise<CommandStatus | undefined> => {
  const first = await whoAnswers(context.dataDir);
  if (first === undefined) return undefined;
  // `enough` also aborts when the user quits, or for an error, which is then its reason.
  const { enough, deafen } = enoughFor(context.world);
  const viewer = viewerFor(context, {
    quit: (failed) => enough.abort(failed),
    carryOut: (command) => watching.client.call('command', command, { timeoutMs: COMMAND_MS }),
    samples: (since) => watching.client.call('samples', { selection, since }),
    explain: async (service) => {
      const inspect: Inspector['inspect'] = (selection) => watching.client.call('inspect', selection);
      const { services } = await inspect({ services: [service] });
      return explained(context, { supervised: true, inspect }, services);
    },
    isWhole: Object.keys(selection).length === 0,
    unfolded: isUnfolded(context, selection.services),
  });
  const watching: Watching = { selection, viewer, enough, client: first };
  try {
    await watchOn(context.dataDir, watching);
    if (enough.signal.reason instanceof Error && enough.signal.reason.name !== 'AbortError')
      throw enough.signal.reason;
    return EXIT.done;
  } finally {
    viewer.end();
    deafen();
    watching.client.close();
  }
};
