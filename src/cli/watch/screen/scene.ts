// What the full-screen view knows, and how it comes to know more. Pure.
import type { Hello, View } from '../../../streams/wire/protocol.ts';
import type { ErrorDocument } from '../../../streams/wire/documents/documents.ts';
import type { LogEntry } from '../../../streams/wire/log-line.ts';
import type { Ink } from '../../render/paint.ts';
import { applyView, changesIn, NOTHING, type Change, type LiveModel } from '../live-model.ts';
import { later, type Trends } from './trends.ts';
import type { Key } from './keys.ts';
import { FIRST_UI, press, type Intent, type Remark, type Ui } from './ui.ts';

export interface Happened extends Change {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Scene {
  readonly model: LiveModel;
  readonly trends: Trends;
  /** Newest last. */
  readonly happened: readonly Happened[];
  readonly ui: Ui;
  /** Who is watched; why nobody is. */
  readonly link: { readonly text: string; readonly ink: Ink };
}

export const FIRST_SCENE: Scene = {
  model: NOTHING,
  trends: new Map(),
  happened: [],
  ui: FIRST_UI,
  link: { text: 'connecting', ink: 'dim' },
};

const MOST_HAPPENED = 200;
const MOST_LOGGED = 500;

/** The first view is how things are, not what happened; nor are mere numbers, or a process that got its number. */
const newsIn = ({ model }: Scene, view: View, at: number): readonly Happened[] =>
  model === NOTHING
    ? []
    : changesIn(model, view)
        .filter(({ service, from, id }) => {
          const old = model.services.get(id);
          return from !== service.state || old?.health !== service.health;
        })
        .map((change) => ({ ...change, at }));

export const sawView = (scene: Scene, view: View, at: number): Scene => ({
  ...scene,
  model: applyView(scene.model, view),
  happened: [...scene.happened, ...newsIn(scene, view, at)].slice(-MOST_HAPPENED),
});

/** Numbers that nobody brings up to date are not drawn on. */
export const secondPassed = (scene: Scene): Scene => ({
  ...scene,
  trends: later(scene.trends, scene.model.services),
});

export const connected = (scene: Scene, { pid, version }: Hello, again: boolean): Scene => ({
  ...scene,
  link: { text: `${again ? 'connected again: ' : ''}supervisor pid ${pid}, version ${version}`, ink: 'dim' },
});

export const disconnected = (scene: Scene, { message }: ErrorDocument): Scene => ({
  ...scene,
  link: { text: `waiting for the supervisor: ${message}`, ink: 'yellow' },
});

export const remarked = (scene: Scene, remark: Remark | undefined): Scene => ({
  ...scene,
  ui: { ...scene.ui, remark },
});

/** What keys make of it, and what they ask for. The remark about the key before is over. */
export const typed = (
  scene: Scene,
  { keys, ids }: { readonly keys: readonly Key[]; readonly ids: readonly string[] },
): { readonly scene: Scene; readonly intents: readonly Intent[] } => {
  const intents: Intent[] = [];
  let { ui } = scene;
  for (const key of keys) {
    const pressed = press({ ...ui, remark: undefined }, key, ids);
    ui = pressed.ui;
    if (pressed.intent !== undefined) intents.push(pressed.intent);
  }
  return { scene: { ...scene, ui }, intents };
};

export const logged = (scene: Scene, entries: readonly LogEntry[]): Scene => ({
  ...scene,
  ui: { ...scene.ui, log: [...scene.ui.log, ...entries].slice(-MOST_LOGGED) },
});
