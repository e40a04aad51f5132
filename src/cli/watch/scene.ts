// The state of the full-screen view (a scene), and pure functions that return a changed one.
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import type { Hello, SamplesAnswer, View } from '../../streams/wire/protocol.ts';
import type { LogEntry } from '../../streams/wire/log-line.ts';
import { serviceOf } from '../../sources/logs/read-events.ts';
import type { Ink } from '../../streams/views/words/paint.ts';
import { applyView, NOTHING, type LiveModel } from '../../client/live-model.ts';
import { earlier, later, type Trends } from './trends.ts';
import { FIRST_UI, type Intent, type Key, press, type Remark, type Ui } from './key-presses.ts';
import type { ErrorDocument } from '../../streams/wire/documents/basic-documents.ts';

export interface Scene {
  readonly model: LiveModel;
  readonly trends: Trends;
  /** The last events, as in `sup events`, newest last. */
  readonly happened: readonly EventDocument[];
  /** True if all services are watched. If false, only events of the watched services are shown. */
  readonly isWhole: boolean;
  readonly ui: Ui;
  /** Text about the connection: which supervisor is watched, or why none is. */
  readonly link: { readonly text: string; readonly ink: Ink };
}

export const FIRST_SCENE: Scene = {
  model: NOTHING,
  trends: new Map(),
  happened: [],
  isWhole: true,
  ui: FIRST_UI,
  link: { text: 'connecting', ink: 'dim' },
};

export const MOST_HAPPENED = 1_000;
const MOST_LOGGED = 500;

export const sawView = (scene: Scene, view: View): Scene => ({
  ...scene,
  model: applyView(scene.model, view),
});

/** Returns the events of the watched services. */
export const shownEvents = ({ happened: all, isWhole, model }: Scene): readonly EventDocument[] =>
  isWhole ? all : all.filter((event) => model.services.has(serviceOf(event) ?? ''));

export const happened = (scene: Scene, events: readonly EventDocument[]): Scene => ({
  ...scene,
  happened: [...scene.happened, ...events].slice(-MOST_HAPPENED),
});

/** Adds the samples from before the view began to the charts. */
export const sampled = (scene: Scene, answer: SamplesAnswer): Scene => ({
  ...scene,
  trends: earlier(scene.trends, answer),
});

/** Extends the charts of CPU and memory by one second. */
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

/** Applies key presses. Returns the new scene and the requested actions. Each key clears the remark. */
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

export const explainedBy = (scene: Scene, why: readonly string[]): Scene => ({
  ...scene,
  ui: { ...scene.ui, why },
});

export const logged = (scene: Scene, entries: readonly LogEntry[]): Scene => ({
  ...scene,
  ui: { ...scene.ui, log: [...scene.ui.log, ...entries].slice(-MOST_LOGGED) },
});
