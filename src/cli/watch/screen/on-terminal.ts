// The live view on a terminal: a thin driver. What is known is a scene, what is shown is a pure function of it, and here
// is only when it is drawn and what becomes of keys.
import type { View } from '../../../streams/wire/protocol.ts';
import { ClientFailure } from '../../client/client-failure.ts';
import type { Context } from '../../context.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { paintOf } from '../../render/paint.ts';
import type { Session, Viewer } from '../viewer.ts';
import { keysIn } from './keys.ts';
import { shownName, shownServices } from './list.ts';
import { followLog } from './follow-log.ts';
import { pageLines } from './page.ts';
import {
  connected,
  disconnected,
  FIRST_SCENE,
  logged,
  remarked,
  sawView,
  secondPassed,
  type Scene,
} from './scene.ts';
import { takeScreen } from './take-screen.ts';
import { press, type Intent } from './ui.ts';

const FRAME_MS = 100;
const SECOND_MS = 1_000;

type Change = (change: (scene: Scene) => Scene) => void;
type Act = Extract<Intent, { type: 'restart' | 'stop' }>;

const failureText = (thrown: unknown): string =>
  thrown instanceof ClientFailure ? `${thrown.document.code} ${thrown.document.message}` : messageOf(thrown);

const carryOut = async ({ type, service }: Act, session: Session, change: Change): Promise<void> => {
  const what = `${type} ${shownName(service)}`;
  change((scene) => remarked(scene, { text: `${what} …`, ink: 'yellow' }));
  try {
    await session.carryOut({ type, selection: { services: [service] } });
    change((scene) => remarked(scene, { text: `${what}: done`, ink: 'green' }));
  } catch (thrown) {
    change((scene) => remarked(scene, { text: `${what}: ${failureText(thrown)}`, ink: 'red' }));
  }
};

/** Opens the logs of one service at a time. */
const logPane = (dataDir: string, change: Change): { open: (service: string) => void; close: () => void } => {
  let following = new AbortController();
  return {
    open: (service) => {
      following = new AbortController();
      const { signal } = following;
      const show: Parameters<typeof followLog>[2]['show'] = (entries) => {
        if (!signal.aborted) change((scene) => logged(scene, entries));
      };
      followLog(dataDir, service, { signal, show }).catch((thrown: unknown) =>
        change((scene) => remarked(scene, { text: messageOf(thrown), ink: 'red' })),
      );
    },
    close: () => following.abort(),
  };
};

/** Carries out what a key asks for. */
const obeying = (context: Context, session: Session, change: Change): ((intent: Intent) => void) => {
  const logs = logPane(context.dataDir, change);
  return (intent) => {
    if (intent.type === 'quit') session.quit();
    else if (intent.type === 'open-logs') logs.open(intent.service);
    else if (intent.type === 'close-logs') logs.close();
    else void carryOut(intent, session, change);
  };
};

export const onTerminal = (context: Context, session: Session): Viewer => {
  const { stdout } = context.world;
  const paint = paintOf(context.colorOn(stdout));
  let scene = FIRST_SCENE;
  let due: NodeJS.Timeout | undefined;
  let hellos = 0;
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
  const obey = obeying(context, session, change);
  const typed = (text: string): void => {
    for (const key of keysIn(text)) {
      const ids = shownServices(scene.model).map(({ id }) => id);
      const { ui, intent } = press({ ...scene.ui, remark: undefined }, key, ids);
      scene = { ...scene, ui };
      if (intent !== undefined) obey(intent);
    }
    draw();
  };
  const screen = takeScreen(context.world, { typed, resized: draw });
  const seconds = setInterval(() => change(secondPassed), SECOND_MS);
  return {
    see: (view: View) => change((before) => sawView(before, view, Date.now())),
    lost: ({ document }) => change((before) => disconnected(before, document)),
    found: (hello) => {
      hellos += 1;
      change((before) => connected(before, hello, hellos > 1));
    },
    end: () => {
      clearInterval(seconds);
      clearTimeout(due);
      obey({ type: 'close-logs' });
      screen.leave();
    },
  };
};
