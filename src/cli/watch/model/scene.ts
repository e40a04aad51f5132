// The state of the full-screen view (a scene), and how each input changes it. Pure functions.
import type { ErrorDocument } from '../../../streams/wire/documents/basic-documents.ts';
import type { ProjectDocument } from '../../../streams/wire/documents/documents.ts';
import type { EventDocument } from '../../../streams/wire/documents/event-document.ts';
import type { WhyDocument } from '../../../streams/wire/documents/why-document.ts';
import type { LogEntry } from '../../../streams/wire/log-line.ts';
import type { SamplesAnswer } from '../../../streams/wire/protocol.ts';
import type { Ink } from '../../../streams/views/words/paint.ts';
import { declaredName } from '../../../streams/domain/ids.ts';
import { serviceOf } from '../../../sources/logs/read-events.ts';
import { applyView, type LiveModel, NOTHING } from '../../../client/live-model.ts';
import type { News } from '../news.ts';
import { upgradedText } from '../../render/upgraded-text.ts';
import { type LogPane, NO_LOG, withLines } from './log-pane.ts';
import { type LiveRow, type RowFacts, rowsOf } from './rows.ts';
import { earlier, later, type Trends } from './trends.ts';

/** A message about the view, or about the result of an action. */
export interface Remark {
  readonly text: string;
  readonly ink: Ink;
  /** What the user can do about the problem. */
  readonly hint?: string | null;
}

/** A change that a key requests. `row`: the id of the row, in the form `project/service`. */
export type ServiceAction =
  | { readonly type: 'start' | 'stop' | 'restart'; readonly row: string }
  | { readonly type: 'reload'; readonly row: string }
  | { readonly type: 'scale'; readonly row: string; readonly from: number; readonly replicas: number };

export type Intent =
  | { readonly type: 'quit' }
  | { readonly type: 'suspend' }
  | { readonly type: 'act'; readonly action: ServiceAction };

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The answer of `sup why` about a row. */
interface WhyPane {
  readonly of: string | undefined;
  /**
   * The answer; `undefined` until it has arrived; a text with the reason if the supervisor did not answer.
   */
  readonly answer: WhyDocument | string | undefined;
}

/** A pane that shows files as they grow. */
export type ReadPane = 'logs' | 'events';

export interface Scene extends RowFacts {
  readonly size: Size;
  readonly now: number;
  /** True for the privileged supervisor. Commands in advice then have `--sys`. */
  readonly sys: boolean;
  /** False if standard input is no terminal. */
  readonly hasKeys: boolean;
  readonly rows: readonly LiveRow[];
  readonly trends: Trends;
  /** The last events, as in `sup events`, newest last. */
  readonly happened: readonly EventDocument[];
  /** True if all services are watched. If false, only events of the watched services are shown. */
  readonly isWhole: boolean;
  readonly isConnected: boolean;
  /** The text about the connection: the watched supervisor, or why there is no connection. */
  readonly link: { readonly text: string; readonly ink: Ink };
  /**
   * The id of the selected row. If there is no row with this id, the row of its group is selected, or if
   * there is none, the first row.
   */
  readonly selected: string | undefined;
  /** What is shown below the table. */
  readonly pane: 'events' | 'logs' | 'why';
  /** The part of the view that receives the keys. */
  readonly focus: 'services' | 'pane';
  /** True if the pane also covers the table. */
  readonly isZoomed: boolean;
  /**
   * By how many rows the pane is scrolled. In the pane of events, rows are counted upwards from the newest
   * event. In the pane of `why`, they are counted downwards from the first line of its text.
   */
  readonly scrolled: number;
  readonly log: LogPane;
  readonly why: WhyPane;
  /** The text that the user is typing now. */
  readonly typing: 'filter' | 'search' | undefined;
  /** The action that the user is asked to confirm. */
  readonly pending: ServiceAction | undefined;
  /** Actions that are being carried out. */
  readonly busy: readonly ServiceAction[];
  readonly remark: Remark | undefined;
  /** True while the page of keys is shown. */
  readonly isHelp: boolean;
  /** The first line of the page of keys that is shown. */
  readonly helpTop: number;
  /** Why the logs or the events cannot be read, for each pane with this problem. */
  readonly unread: Readonly<Partial<Record<ReadPane, readonly string[]>>>;
}

export const FIRST_SCENE: Scene = {
  ...{ model: NOTHING, filter: '', sort: undefined, unfolded: false, opened: new Map(), rows: [] },
  ...{ size: { columns: 80, rows: 24 }, now: 0, sys: false, hasKeys: true, trends: new Map(), happened: [] },
  ...{ isWhole: true, isConnected: false, link: { text: 'connecting', ink: 'dim' }, selected: undefined },
  ...{ pane: 'events', focus: 'services', isZoomed: false, scrolled: 0, log: NO_LOG },
  ...{ why: { of: undefined, answer: undefined }, typing: undefined, pending: undefined, busy: [] },
  ...{ remark: undefined, isHelp: false, helpTop: 0, unread: {} },
};

export type SceneInput =
  | News
  | { readonly tag: 'resized'; readonly size: Size }
  | { readonly tag: 'second'; readonly now: number }
  /** The recorded services, while no supervisor answers. */
  | { readonly tag: 'recorded'; readonly projects: readonly ProjectDocument[] }
  | { readonly tag: 'sampled'; readonly answer: SamplesAnswer }
  | { readonly tag: 'happened'; readonly events: readonly EventDocument[] }
  /** Lines of a log. If `isFirst` is true, they replace the earlier lines. */
  | {
      readonly tag: 'logged';
      readonly of: string;
      readonly entries: readonly LogEntry[];
      readonly isFirst: boolean;
    }
  | { readonly tag: 'explained'; readonly of: string; readonly answer: WhyDocument | string }
  | { readonly tag: 'unread'; readonly pane: ReadPane; readonly lines: readonly string[] }
  | { readonly tag: 'remarked'; readonly remark: Remark }
  | { readonly tag: 'acted'; readonly action: ServiceAction; readonly remark: Remark };

const MOST_HAPPENED = 1_000;

/**
 * Returns the index of the selected row. If this row is not listed, returns the index of the row of its
 * group, or else 0.
 */
export const placeOf = ({ selected = '', rows }: Pick<Scene, 'selected' | 'rows'>): number => {
  const place = rows.findIndex(({ id }) => id === selected);
  return Math.max(0, place === -1 ? rows.findIndex(({ id }) => id === declaredName(selected)) : place);
};

export const selectedRow = (scene: Scene): LiveRow | undefined => scene.rows[placeOf(scene)];

/** Returns the events of the watched services. */
export const shownEvents = ({ happened: all, isWhole, model }: Scene): readonly EventDocument[] =>
  isWhole ? all : all.filter((event) => model.services.has(serviceOf(event) ?? ''));

const sawServices = (scene: Scene, model: LiveModel): Scene => ({ ...scene, model });

const remarked = (scene: Scene, text: string, ink: Ink): Scene => ({ ...scene, remark: { text, ink } });

const found = (scene: Scene, { hello, again }: Extract<News, { tag: 'found' }>): Scene => {
  const { pid, version } = hello;
  const text = `${again ? 'connected again: ' : ''}supervisor pid ${pid}, version ${version}`;
  return { ...scene, isConnected: true, link: { text, ink: 'dim' } };
};

const upgraded = (scene: Scene, { hello }: Extract<News, { tag: 'upgraded' }>): Scene =>
  remarked(
    found(scene, { tag: 'found', hello, again: false }),
    upgradedText(hello),
    hello.resumed === undefined ? 'green' : 'yellow',
  );

const lost = (scene: Scene, { message }: ErrorDocument): Scene => ({
  ...scene,
  isConnected: false,
  link: { text: `waiting for the supervisor: ${message}`, ink: 'yellow' },
});

const withEvents = (scene: Scene, events: readonly EventDocument[]): Scene => ({
  ...scene,
  happened: [...scene.happened, ...events].slice(-MOST_HAPPENED),
});

const withLog = (scene: Scene, { of, entries, isFirst }: Extract<SceneInput, { tag: 'logged' }>): Scene => {
  if (of !== scene.log.of) return scene;
  const { search, wraps } = scene.log;
  const before = isFirst ? { ...NO_LOG, of, search, wraps } : scene.log;
  return { ...scene, log: withLines(before, entries) };
};

const changed = (scene: Scene, input: SceneInput): Scene => {
  switch (input.tag) {
    case 'found':
      return found(scene, input);
    case 'upgraded':
      return upgraded(scene, input);
    case 'seen':
      return sawServices(scene, applyView(scene.model, input.view));
    case 'lost':
      return lost(scene, input.error);
    case 'recorded': {
      const { projects } = input;
      return scene.isConnected
        ? scene
        : sawServices(scene, applyView(scene.model, { full: true, projects, gone: [] }));
    }
    case 'resized':
      return { ...scene, size: input.size };
    case 'second':
      return { ...scene, now: input.now, trends: later(scene.trends, scene.model.services) };
    case 'sampled':
      return { ...scene, trends: earlier(scene.trends, input.answer) };
    case 'happened':
      return withEvents(scene, input.events);
    case 'logged':
      return withLog(scene, input);
    case 'explained':
      return input.of === scene.why.of ? { ...scene, why: { of: input.of, answer: input.answer } } : scene;
    case 'unread':
      return { ...scene, unread: { ...scene.unread, [input.pane]: input.lines } };
    case 'remarked':
      return { ...scene, remark: input.remark };
    case 'acted':
      return { ...scene, remark: input.remark, busy: scene.busy.filter((busy) => busy !== input.action) };
  }
};

const ROW_FACTS = ['model', 'filter', 'sort', 'unfolded', 'opened'] as const;

const withRows = (before: Scene, scene: Scene): Scene =>
  ROW_FACTS.every((fact) => before[fact] === scene[fact]) ? scene : { ...scene, rows: rowsOf(scene) };

/** Empties the pane if it is about a row that is no longer selected. */
const withPane = (scene: Scene): Scene => {
  const of = selectedRow(scene)?.id;
  const { log, why, pane } = scene;
  if (pane === 'logs' && log.of !== of) {
    const { events } = scene.unread;
    const unread = events === undefined ? {} : { events };
    return { ...scene, unread, log: { ...NO_LOG, of, search: log.search, wraps: log.wraps } };
  }
  return pane === 'why' && why.of !== of ? { ...scene, scrolled: 0, why: { of, answer: undefined } } : scene;
};

/** Returns the scene with rows and pane updated for the changes since `before`. */
export const settled = (before: Scene, scene: Scene): Scene => withPane(withRows(before, scene));

/** Returns the scene after an input. */
export const after = (scene: Scene, input: SceneInput): Scene => settled(scene, changed(scene, input));
