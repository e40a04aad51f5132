// `sup status --watch`: the live view. On a terminal a page that is drawn again in place, on the alternate screen, at
// most ten times a second; into a pipe one line per change; with `--json` one document per line (`sup.view/1`).
import type { Selection } from '../../streams/domain/command.ts';
import type { StatusDocument } from '../../streams/wire/documents.ts';
import type { Hello, View } from '../../streams/wire/protocol.ts';
import type { Client } from '../client/client.ts';
import type { ClientFailure } from '../client/client-failure.ts';
import type { Context } from '../context.ts';
import { connectIfRunning } from '../client/ensure-supervisor.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { Failure } from '../failure.ts';
import { applyView, changesIn, NOTHING, projectsOf, type LiveModel } from './live-model.ts';
import { printDocument, printLines } from '../print.ts';
import { changeLine } from '../render/change-line.ts';
import { paintOf } from '../render/paint.ts';
import { statusLines } from '../render/status-table.ts';

const ANSWER_MS = 800;
const FRAME_MS = 100;
/** Ages grow even when nothing happens. */
const TICK_MS = 1_000;

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';

interface Viewer {
  readonly see: (view: View) => void;
  readonly end: () => void;
}

const asDocuments = (context: Context): Viewer => ({
  see: (view) => printDocument(context, { schema: 'sup.view/1', ...view }),
  end: () => undefined,
});

const asLines = (context: Context): Viewer => {
  const paint = paintOf(context.colorOn(context.world.stdout));
  let model = NOTHING;
  return {
    see: (view) => {
      const at = new Date().toISOString();
      const changes = changesIn(model, view).map((change) => `${at} ${changeLine(change, paint)}`);
      const gone = view.gone.map((id) => `${at} ${id} is gone`);
      model = applyView(model, view);
      printLines(context, [...changes, ...gone]);
    },
    end: () => undefined,
  };
};

const documentOf = (hello: Hello, model: LiveModel): StatusDocument => ({
  schema: 'sup.status/1',
  supervisor: {
    running: true,
    pid: hello.pid,
    version: hello.version,
    since: hello.since,
    restarts: hello.guardian?.restarts ?? null,
    process_start: null,
    warnings: [],
  },
  projects: projectsOf(model),
});

/** The page, cut to the height of the terminal, over what stood there before. */
const pageOf = (context: Context, document: StatusDocument): string => {
  const { stdout } = context.world;
  const paint = paintOf(context.colorOn(stdout));
  const lines = statusLines(document, { paint, columns: stdout.columns(), now: Date.now() });
  const rows = stdout.rows() ?? lines.length;
  const hidden = lines.length - rows + 1;
  const shown = hidden > 1 ? [...lines.slice(0, rows - 1), paint('dim', `… ${hidden} more lines`)] : lines;
  return `\u001b[H${shown.map((line) => `${line}\u001b[K`).join('\n')}\u001b[J`;
};

const onTerminal = (context: Context, hello: Hello): Viewer => {
  const { stdout } = context.world;
  let model = NOTHING;
  let due: NodeJS.Timeout | undefined;
  const draw = (): void => {
    due = undefined;
    stdout.write(pageOf(context, documentOf(hello, model)));
  };
  const tick = setInterval(draw, TICK_MS);
  stdout.write(ENTER);
  return {
    see: (view) => {
      model = applyView(model, view);
      due ??= setTimeout(draw, FRAME_MS);
    },
    end: () => {
      clearInterval(tick);
      clearTimeout(due);
      stdout.write(LEAVE);
    },
  };
};

const viewerFor = (context: Context, hello: Hello): Viewer => {
  if (context.json) return asDocuments(context);
  return context.world.stdout.terminal ? onTerminal(context, hello) : asLines(context);
};

/** Settles when the user has seen enough, with nothing; or with why the view cannot go on. */
const untilOver = ({ world }: Context, client: Client): Promise<ClientFailure | undefined> =>
  new Promise((settle) => {
    const enough = (): void => settle(undefined);
    const deafen = world.onInterrupt(enough);
    world.readerGone.addEventListener('abort', enough, { once: true });
    void client.ended.then((failed) => {
      deafen();
      settle(failed);
    });
  });

const follow = async (context: Context, client: Client, selection: Selection): Promise<ExitStatus> => {
  const viewer = viewerFor(context, client.hello);
  client.onView(viewer.see);
  try {
    await client.call('watch', selection);
    const failed = await untilOver(context, client);
    if (failed !== undefined) throw new Failure(failed.document, 'offline');
    return EXIT.done;
  } finally {
    viewer.end();
    client.close();
  }
};

/** The exit status; `undefined` when no supervisor is running, so that there is nothing to watch. */
export const watchStatus = async (
  context: Context,
  selection: Selection,
): Promise<ExitStatus | undefined> => {
  const client = await connectIfRunning(context.dataDir, ANSWER_MS);
  return client === undefined ? undefined : follow(context, client, selection);
};
