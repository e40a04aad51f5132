// Decodes keys in the full-screen view, and applies each to the state of the view. Actions are returned as
// intents.
import { declaredName } from '../../streams/domain/ids.ts';
import type { Ink } from '../../streams/views/words/paint.ts';
import type { LogEntry } from '../../streams/wire/log-line.ts';

/** A name such as `up`, or the typed character. */
export type Key = string;

const SEQUENCES: Readonly<Record<string, Key>> = {
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  '\u001b[5~': 'page-up',
  '\u001b[6~': 'page-down',
  '\u001b[H': 'home',
  '\u001b[1~': 'home',
  '\u001b[F': 'end',
  '\u001b[4~': 'end',
  '\u001b': 'escape',
  '\u0003': 'interrupt',
};

// eslint-disable-next-line no-control-regex -- control characters are exactly what terminals send
const TYPED = /\u001b[[O][0-9;]*[A-Za-z~]|[^]/gu;

/** Splits a typed text into keys. */
export const keysIn = (typed: string): readonly Key[] =>
  (typed.match(TYPED) ?? []).map((sequence) => SEQUENCES[sequence] ?? sequence);

/** A message about the view, or about the result of a key press. */
export interface Remark {
  readonly text: string;
  readonly ink: Ink;
}

export interface ServiceAction {
  readonly type: 'restart' | 'stop';
  readonly service: string;
}

export interface Ui {
  /** Id in the form `project/service`. If this service is not shown, the first one counts as selected. */
  readonly selected: string | undefined;
  readonly page: 'services' | 'logs' | 'why' | 'help';
  /** True if the instances of services with `replicas` are listed one by one. */
  readonly unfolded: boolean;
  /** The action that the user is asked to confirm. */
  readonly pending: ServiceAction | undefined;
  /** The page of `sup why`; `undefined` until it has arrived. */
  readonly why: readonly string[] | undefined;
  readonly remark: Remark | undefined;
  /** Log lines of the service with the open log. */
  readonly log: readonly LogEntry[];
}

export const FIRST_UI: Ui = {
  ...{ selected: undefined, page: 'services', remark: undefined },
  ...{ unfolded: false, pending: undefined, why: undefined, log: [] },
};

export type Intent =
  | { readonly type: 'quit' }
  | { readonly type: 'open-logs'; readonly service: string }
  | { readonly type: 'close-logs' }
  | { readonly type: 'open-why'; readonly service: string }
  | ServiceAction;

export interface Pressed {
  readonly ui: Ui;
  readonly intent?: Intent;
}

const PAGE = 10;

const STEPS: Readonly<Record<Key, number>> = {
  up: -1,
  k: -1,
  down: 1,
  j: 1,
  'page-up': -PAGE,
  'page-down': PAGE,
  home: -Infinity,
  g: -Infinity,
  end: Infinity,
  G: Infinity,
};

/**
 * Returns the index of the selected service in `ids`, or of its row if it is an instance that is not listed;
 * otherwise 0.
 */
export const placeOf = ({ selected = '' }: Pick<Ui, 'selected'>, ids: readonly string[]): number => {
  const place = ids.indexOf(selected);
  return Math.max(0, place === -1 ? ids.indexOf(declaredName(selected)) : place);
};

const moved = (ui: Ui, ids: readonly string[], step: number): Ui => ({
  ...ui,
  selected: ids[Math.min(ids.length - 1, Math.max(0, placeOf(ui, ids) + step))],
});

const BACK: ReadonlySet<Key> = new Set(['escape', 'q']);

const acted = (ui: Ui, key: Key, service: string): Pressed => {
  switch (key) {
    case 'l':
      return {
        ui: { ...ui, selected: service, page: 'logs', log: [] },
        intent: { type: 'open-logs', service },
      };
    case 'r':
      return { ui: { ...ui, selected: service, pending: { type: 'restart', service } } };
    case 's':
      return { ui: { ...ui, selected: service, pending: { type: 'stop', service } } };
    case '\r':
    case '\n':
      return {
        ui: { ...ui, selected: service, page: 'why', why: undefined },
        intent: { type: 'open-why', service },
      };
    default:
      return { ui };
  }
};

const onServices = (ui: Ui, key: Key, ids: readonly string[]): Pressed => {
  if (key === 'q') return { ui, intent: { type: 'quit' } };
  if (key === '?') return { ui: { ...ui, page: 'help' } };
  if (key === 'v') return { ui: { ...ui, unfolded: !ui.unfolded } };
  const step = STEPS[key];
  if (step !== undefined) return { ui: moved(ui, ids, step) };
  const service = ids[placeOf(ui, ids)];
  return service === undefined ? { ui } : acted(ui, key, service);
};

/** Applies the answer to a question: `y` confirms the action, any other key cancels it. */
const answered = (ui: Ui, key: Key, intent: ServiceAction): Pressed => {
  const after = { ...ui, pending: undefined };
  return key === 'y' ? { ui: after, intent } : { ui: after };
};

/** Applies a key press. `ids`: the services in the displayed order. */
export const press = (ui: Ui, key: Key, ids: readonly string[]): Pressed => {
  if (key === 'interrupt') return { ui, intent: { type: 'quit' } };
  if (ui.pending !== undefined) return answered(ui, key, ui.pending);
  if (ui.page === 'services') return onServices(ui, key, ids);
  if (ui.page === 'help') return { ui: { ...ui, page: 'services' } };
  if (!BACK.has(key)) return { ui };
  if (ui.page === 'why') return { ui: { ...ui, page: 'services', why: undefined } };
  return { ui: { ...ui, page: 'services', log: [] }, intent: { type: 'close-logs' } };
};
