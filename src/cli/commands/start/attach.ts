// Attached `sup start`: prints the output of the services until all have ended. Ctrl-C stops the services
// that this command started, and a second Ctrl-C exits at once. The supervisor continues to run.
import { isOver, stopping } from '../../client/progress-texts.ts';
import { isFailing } from '../../../streams/views/trouble.ts';
import { isGone } from '../../../client/client-failure.ts';
import type { Client } from '../../../client/client.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import { runCommand } from '../../client/run-command.ts';
import { newsIn } from './state-news.ts';
import type { Context } from '../../context.ts';
import { remark } from '../../print.ts';
import { applyView, NOTHING, idsIn } from '../../../client/live-model.ts';
import { upgradedText } from '../../render/upgraded-text.ts';
import type { World } from '../../process-ports.ts';
import type { Selection } from '../../../streams/domain/command.ts';
import { type ServiceId, shownId } from '../../../streams/domain/ids.ts';
import { Failure } from '../../../streams/views/errors/command-failure.ts';
import { EXIT, type CommandStatus } from '../../../streams/wire/command-exit-status.ts';
import type { View } from '../../../streams/wire/protocol.ts';
import type { StateWord } from '../../../streams/wire/documents/basic-documents.ts';

interface Interrupts {
  /** Resolves when the first SIGINT or SIGTERM arrives. */
  readonly asked: Promise<void>;
  readonly wasAsked: () => boolean;
  readonly dispose: () => void;
}

export const interrupts = ({ onInterrupt, leave }: Pick<World, 'onInterrupt' | 'leave'>): Interrupts => {
  let dispose = (): void => undefined;
  let times = 0;
  const asked = new Promise<void>((settle) => {
    dispose = onInterrupt(() => {
      times += 1;
      if (times === 1) settle();
      else leave(EXIT.interrupted);
    });
  });
  return { asked, wasAsked: () => times > 0, dispose };
};

/** Prints the output of services until `stop` aborts. Resolves when all of it is printed. */
export type Follow = (services: readonly ServiceId[], stop: AbortSignal) => Promise<unknown>;

interface Attachment {
  readonly selection: Selection;
  /** The services in the answer to the start command: the selected services and their dependencies. */
  readonly about: readonly ServiceId[];
  /** Services that were already up or starting before this command. Ctrl-C does not stop these services. */
  readonly spared: ReadonlySet<string>;
  readonly follow: Follow;
  readonly interrupts: Interrupts;
}

/**
 * Why the command ends: all services have ended (`itself`), Ctrl-C (`user`), or the reader of the output is
 * gone (`reader`).
 */
type Ending =
  { readonly by: 'itself'; readonly states: readonly StateWord[] } | { readonly by: 'user' | 'reader' };

interface Observed {
  readonly client: Client;
  readonly services: readonly ServiceId[];
  /** Resolves when none of the services runs or waits to start. */
  readonly over: Promise<Ending>;
}

interface Observer {
  readonly selection: Selection;
  readonly tell: (news: readonly string[]) => void;
}

/** Watches the selected services and reports state changes. Resolves when the current state is known. */
const observe = async (client: Client, { selection, tell }: Observer): Promise<Observed> => {
  let tellFirst: (view: View) => void;
  const first = new Promise<View>((settle) => (tellFirst = settle));
  const over = new Promise<Ending>((settle) => {
    let model = NOTHING;
    client.onView((view) => {
      // Until the first full view only changes arrive, for the progress of the start.
      if (model === NOTHING && !view.full) return;
      tell(newsIn(model, view));
      model = applyView(model, view);
      const states = [...model.services.values()].map(({ state }) => state);
      if (isOver(states)) settle({ by: 'itself', states });
      if (view.full) tellFirst(view);
    });
  });
  client.onHello((hello) => tell([upgradedText(hello)]));
  await client.call('watch', selection);
  return { client, services: idsIn((await first).projects), over };
};

/** Watches again after the connection ended, if the supervisor was restarted. Rejects if none runs. */
const observeAgain = async (context: Context, client: Client, observer: Observer): Promise<Observed> => {
  const failed = await client.ended;
  if (failed === undefined) throw new Error('the connection was closed');
  const next = isGone(failed) ? await connectIfRunning(context.dataDir) : undefined;
  if (next === undefined) {
    const message = `the supervisor ended: ${failed.document.message}`;
    throw new Failure({ ...failed.document, message, hint: 'to see what is left of it: sup status' });
  }
  remark(context, `the supervisor ended, and another one has taken over (pid ${next.hello.pid})`);
  return observe(next, observer);
};

const untilReaderGone = ({ world }: Context): Promise<Ending> =>
  new Promise((settle) => {
    world.readerGone.addEventListener('abort', () => settle({ by: 'reader' }), { once: true });
  });

interface Ended {
  readonly services: readonly ServiceId[];
  readonly spared: ReadonlySet<string>;
}

/** Stops the services that this command started, and tells the user which ones keep running. */
const stopIt = async (context: Context, client: Client, { services, spared }: Ended): Promise<void> => {
  const goOn = services.filter((id) => spared.has(id)).map(shownId);
  const own = services.filter((id) => !spared.has(id));
  if (goOn.length > 0) remark(context, `left running (already up before this command): ${goOn.join(', ')}`);
  if (own.length === 0) return;
  remark(context, 'stopping services… press Ctrl-C again to exit without waiting');
  const selection = { services: own };
  // Progress is printed as lines, even on a terminal. A block that is redrawn would overwrite the output of
  // services.
  const { world } = context;
  const byLines = { ...context, world: { ...world, stderr: { ...world.stderr, terminal: false } } };
  const command = { type: 'stop', selection } as const;
  await runCommand(byLines, client, { command, activity: stopping(selection) });
};

interface Attached {
  readonly ending: Ending;
  /**
   * A client of the supervisor that runs when the command ends. If the supervisor has been restarted, it is
   * the new supervisor.
   */
  readonly client: Client;
}

const untilEnded = async (
  context: Context,
  first: Observed,
  { observer, interrupts }: { readonly observer: Observer; readonly interrupts: Interrupts },
): Promise<Attached> => {
  const enough = Promise.race([
    interrupts.asked.then((): Ending => ({ by: 'user' })),
    untilReaderGone(context),
  ]);
  for (let observed = first; ;) {
    const { client, over } = observed;
    const ending = await Promise.race([enough, over, client.ended.then(() => undefined)]);
    if (ending !== undefined) return { ending, client };
    observed = await observeAgain(context, client, observer);
  }
};

/** Resolves to the exit status: 1 if all services have ended and at least one has failed, otherwise 0. */
export const attach = async (
  context: Context,
  client: Client,
  { selection, about, spared, follow, interrupts }: Attachment,
): Promise<CommandStatus> => {
  const tell = (news: readonly string[]): void => {
    // After Ctrl-C no state changes are printed here, because the progress of the stop command shows them.
    if (!interrupts.wasAsked()) news.forEach((line) => remark(context, line));
  };
  const observer = { selection, tell };
  const observed = await observe(client, observer);
  const { services } = observed;
  const enough = new AbortController();
  const following = follow(services, enough.signal);
  try {
    const { ending, client: last } = await untilEnded(context, observed, { observer, interrupts });
    if (ending.by === 'user' || interrupts.wasAsked())
      await stopIt(context, last, { services: [...new Set([...services, ...about])], spared });
    last.close();
    return ending.by === 'itself' && ending.states.some(isFailing) ? EXIT.failed : EXIT.done;
  } finally {
    enough.abort();
    await following;
  }
};
