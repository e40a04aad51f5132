// The live view on a terminal: decides when to draw, and carries out what key presses request. `scene.ts`
// holds what is known; the `screen-…` modules turn that into lines.
import { nameOf, projectId, serviceId, type ServiceId } from '../../streams/domain/ids.ts';
import { instant } from '../../streams/domain/time.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import type { View } from '../../streams/wire/protocol.ts';
import { ClientFailure } from '../../client/client-failure.ts';
import type { Context } from '../context.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { whyLines } from '../render/page/why-page.ts';
import { paintOf } from '../../streams/views/words/paint.ts';
import { upgradedText, type Session, type Viewer } from './viewer.ts';
import { type Intent, keysIn, type ServiceAction } from './key-presses.ts';
import { membersOf, shownRows } from './screen-list.ts';
import { pageLines } from './screen-page.ts';
import {
  connected,
  disconnected,
  explainedBy,
  FIRST_SCENE,
  happened,
  logged,
  remarked,
  sampled,
  sawView,
  secondPassed,
  typed,
  type Scene,
  MOST_HAPPENED,
} from './scene.ts';
import { takeScreen } from './take-screen.ts';
import { TREND_MS } from './trends.ts';
import { EventReader } from '../../sources/logs/read-events.ts';
import type { LogEntry } from '../../streams/wire/log-line.ts';
import { shownName } from '../../client/live-model.ts';
import type { ServiceEntry } from '../../sources/logs/merge.ts';
import { LogReader } from '../../sources/logs/log-reader.ts';

// Last lines of a service's log in the full-screen view.

const LAST_LINES = 200;

/** Converts `project/service` to an id. */
const idOf = (service: string): ServiceId => {
  const [project = '', name = ''] = service.split('/');
  return serviceId(projectId(project), name);
};

const withInstance = (entry: ServiceEntry): LogEntry => ({
  ...entry,
  text: `${nameOf(entry.service)}  ${entry.text}`,
});

/** Shows the logs of the services, by time, until `signal` aborts. Rejects if one cannot be read. */
const followLog = async (
  dataDir: string,
  services: readonly string[],
  { signal, show }: { readonly signal: AbortSignal; readonly show: (entries: readonly LogEntry[]) => void },
): Promise<void> => {
  const shown = (entries: readonly ServiceEntry[]): void =>
    show(services.length === 1 ? entries : entries.map(withInstance));
  const reader = await LogReader.open(dataDir, services.map(idOf), { lines: LAST_LINES });
  try {
    shown(await reader.tail());
    for await (const entries of reader.follow(signal)) {
      if (signal.aborted) return;
      if (entries.length > 0) shown(entries);
    }
  } finally {
    await reader.close();
  }
};

// Events for the full-screen view: the last ones, then new ones.

interface EventPane {
  readonly signal: AbortSignal;
  readonly show: (events: readonly EventDocument[]) => void;
}

/** Resolves when `signal` aborts; rejects if the events cannot be read. */
const followEvents = async (dataDir: string, { signal, show }: EventPane): Promise<void> => {
  const reader = await EventReader.open(dataDir);
  try {
    show((await reader.past()).slice(-MOST_HAPPENED));
    for await (const events of reader.follow(signal)) if (!signal.aborted) show(events);
  } finally {
    await reader.close();
  }
};

const FRAME_MS = 100;
const SECOND_MS = 1_000;

type Change = (change: (scene: Scene) => Scene) => void;

const failureText = (thrown: unknown): string =>
  thrown instanceof ClientFailure ? `${thrown.document.code} ${thrown.document.message}` : messageOf(thrown);

const carryOut = async (
  { type, service }: ServiceAction,
  session: Session,
  change: Change,
): Promise<void> => {
  const what = `${type} ${shownName(service)}`;
  change((scene) => remarked(scene, { text: `${what} …`, ink: 'yellow' }));
  try {
    await session.carryOut({ type, selection: { services: [service] } });
    change((scene) => remarked(scene, { text: `${what}: done`, ink: 'green' }));
  } catch (thrown) {
    change((scene) => remarked(scene, { text: `${what}: ${failureText(thrown)}`, ink: 'red' }));
  }
};

/** Returns functions that open and close the log of one row of the table. */
const logPane = (
  dataDir: string,
  members: (row: string) => readonly string[],
  change: Change,
): { open: (row: string) => void; close: () => void } => {
  let following = new AbortController();
  return {
    open: (row) => {
      following = new AbortController();
      const { signal } = following;
      const show: Parameters<typeof followLog>[2]['show'] = (entries) => {
        if (!signal.aborted) change((scene) => logged(scene, entries));
      };
      followLog(dataDir, members(row), { signal, show }).catch((thrown: unknown) =>
        change((scene) => remarked(scene, { text: messageOf(thrown), ink: 'red' })),
      );
    },
    close: () => following.abort(),
  };
};

interface Panes {
  readonly logs: ReturnType<typeof logPane>;
  readonly why: (service: string) => Promise<void>;
}

/** Returns a function that requests the page of `sup why` for one service and shows it. */
const whyPane =
  ({ world: { stdout }, sys }: Context, session: Session, change: Change): Panes['why'] =>
  async (service) => {
    try {
      const document = await session.explain(idOf(service));
      const look = { paint: paintOf(false), sys, columns: stdout.columns(), now: instant(Date.now()) };
      change((scene) => explainedBy(scene, whyLines(document, look)));
    } catch (thrown) {
      change((scene) => explainedBy(scene, [failureText(thrown)]));
    }
  };

/** Returns a function that carries out the action that a key press requests. */
const obeying =
  (session: Session, { logs, why }: Panes, change: Change) =>
  (intent: Intent): void => {
    if (intent.type === 'quit') session.quit();
    else if (intent.type === 'open-why') void why(intent.service);
    else if (intent.type === 'open-logs') logs.open(intent.service);
    else if (intent.type === 'close-logs') logs.close();
    else void carryOut(intent, session, change);
  };

interface Stage {
  readonly change: Change;
  readonly leave: () => void;
}

const sceneOf = ({ isWhole, unfolded }: Session): Scene => ({
  ...FIRST_SCENE,
  isWhole,
  ui: { ...FIRST_SCENE.ui, unfolded },
});

/** Keeps the state of the full-screen view; redraws within `FRAME_MS`, and at once after a key press. */
const stageOf = (context: Context, session: Session): Stage => {
  const { world, dataDir, colorOn } = context;
  const { stdout } = world;
  const paint = paintOf(colorOn(stdout));
  let scene: Scene = sceneOf(session);
  let due: NodeJS.Timeout | undefined;
  const draw = (): void => {
    clearTimeout(due);
    due = undefined;
    const size = { columns: stdout.columns() ?? 80, rows: stdout.rows() ?? 24 };
    try {
      screen.draw(pageLines(scene, { ...size, paint, now: Date.now() }));
    } catch (thrown) {
      session.quit(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  };
  const change: Change = (how) => {
    scene = how(scene);
    due ??= setTimeout(draw, FRAME_MS);
  };
  const hear = (text: string): void => {
    const ids = shownRows(scene).map(({ id }) => id);
    const heard = typed(scene, { keys: keysIn(text), ids });
    scene = heard.scene;
    heard.intents.forEach(obey);
    draw();
  };
  const members = (row: string): readonly string[] => membersOf(scene, row);
  const panes = { logs: logPane(dataDir, members, change), why: whyPane(context, session, change) };
  const obey = obeying(session, panes, change);
  const screen = takeScreen(world, { typed: hear, resized: draw });
  return {
    change,
    leave: () => {
      clearTimeout(due);
      obey({ type: 'close-logs' });
      screen.leave();
    },
  };
};

const showEvents = (dataDir: string, change: Change, signal: AbortSignal): void => {
  const show = (events: readonly EventDocument[]): void => change((scene) => happened(scene, events));
  followEvents(dataDir, { signal, show }).catch((thrown: unknown) =>
    change((scene) => remarked(scene, { text: messageOf(thrown), ink: 'red' })),
  );
};

/** Requests earlier samples for the charts. Without an answer the charts start empty. */
const showSamples = ({ samples }: Session, change: Change): void => {
  samples(instant(Date.now() - TREND_MS))
    .then((answer) => change((scene) => sampled(scene, answer)))
    .catch(() => undefined);
};

export const onTerminal = (context: Context, session: Session): Viewer => {
  const { change, leave } = stageOf(context, session);
  const seconds = setInterval(() => change(secondPassed), SECOND_MS);
  const over = new AbortController();
  showEvents(context.dataDir, change, over.signal);
  let hellos = 0;
  return {
    see: (view: View) => change((before) => sawView(before, view)),
    lost: ({ document }) => change((before) => disconnected(before, document)),
    found: (hello) => {
      hellos += 1;
      if (hellos === 1) showSamples(session, change);
      change((before) => connected(before, hello, hellos > 1));
    },
    upgraded: (hello) =>
      change((before) =>
        remarked(connected(before, hello, false), {
          text: upgradedText(hello),
          ink: hello.resumed === undefined ? 'green' : 'yellow',
        }),
      ),
    end: () => {
      clearInterval(seconds);
      over.abort();
      leave();
    },
  };
};
