// The keys of the pane below the table, and the keys that work everywhere.
import { paintOf } from '../../../streams/views/words/paint.ts';
import { type Binding, isOnLog, isOnPane, STEPS, to } from './binding.ts';
import { sharesOf } from './page-shares.ts';
import { type LogPane, paused, scrolled, searched, searchedOn } from './log-pane.ts';
import { type Scene, shownEvents } from './scene.ts';
import { whyTextOf } from './why-text.ts';

const paneRows = (scene: Scene): number => sharesOf(scene).pane ?? 0;

const within = (value: number, most: number): number => Math.min(Math.max(0, most), Math.max(0, value));

/** Scrolls the pane. The position in the events is counted from the newest event, at the bottom. */
const paneMoved = (scene: Scene, step: number): Scene => {
  const rows = paneRows(scene);
  if (scene.pane === 'logs') return { ...scene, log: scrolled(scene.log, step) };
  const isWhy = scene.pane === 'why';
  const lines = isWhy ? whyTextOf(scene, paintOf(false)).length : shownEvents(scene).length;
  return { ...scene, scrolled: within(scene.scrolled + (isWhy ? step : -step), lines - rows) };
};

const onLog =
  (change: (log: LogPane, rows: number) => LogPane): Binding['press'] =>
  (scene) => ({ scene: { ...scene, log: change(scene.log, paneRows(scene)) } });

const hasHits = (scene: Scene): boolean => isOnLog(scene) && scene.log.hits.length > 0;

/** Goes back one step. Ends the first of these that is active: search, whole screen, pane, filter. */
const back = (scene: Scene): Scene => {
  const { log, focus, pane, isZoomed } = scene;
  if (isOnLog(scene) && log.search !== '') return { ...scene, log: searched(log, '', 0) };
  if (isZoomed) return { ...scene, isZoomed: false };
  if (focus === 'pane' || pane !== 'events')
    return { ...scene, focus: 'services', pane: 'events', scrolled: 0 };
  return { ...scene, filter: '' };
};

const canGoBack = ({ focus, pane, filter }: Scene): boolean =>
  focus === 'pane' || pane !== 'events' || filter !== '';

const otherFocus = (scene: Scene): Scene => ({
  ...scene,
  ...{ focus: scene.focus === 'pane' ? 'services' : 'pane', isZoomed: false },
});

export const PANE_KEYS: readonly Binding[] = [
  {
    ...{ keys: Object.keys(STEPS), label: '↑↓', hint: () => 'scroll', isPossible: isOnPane },
    press: (scene, key) => ({ scene: paneMoved(scene, STEPS[key]?.(Math.max(1, paneRows(scene) - 1)) ?? 0) }),
  },
  {
    ...{ keys: ['/'], label: '/', hint: () => 'search', isPossible: isOnLog },
    press: to((scene) => ({ ...scene, typing: 'search' })),
  },
  {
    ...{ keys: ['n'], label: 'n N', hint: () => 'next', isPossible: hasHits },
    help: 'the next and the previous line that the search finds',
    press: onLog((log, rows) => searchedOn(log, 1, rows)),
  },
  { keys: ['N'], label: 'N', isPossible: hasHits, press: onLog((log, rows) => searchedOn(log, -1, rows)) },
  {
    ...{ keys: [' ', 'f'], label: 'Space', isPossible: isOnLog, press: onLog(paused) },
    hint: ({ log }) => (log.bottom === undefined ? 'pause' : 'follow'),
    help: 'stop at these lines of the logs, or follow new ones',
  },
  {
    ...{
      keys: ['w'],
      label: 'w',
      isPossible: isOnLog,
      press: onLog((log) => ({ ...log, wraps: !log.wraps })),
    },
    hint: ({ log }) => (log.wraps ? 'cut' : 'wrap'),
    help: 'in the logs: continue long lines on the next row, or cut them',
  },
];

export const COMMON_KEYS: readonly Binding[] = [
  {
    ...{ keys: ['\t'], label: 'Tab', isPossible: () => true, press: to(otherFocus) },
    hint: ({ focus, pane }) => (focus === 'pane' ? 'services' : pane),
    help: 'the keys apply to the services, or to what is below them',
  },
  {
    ...{ keys: ['z'], label: 'z', isPossible: isOnPane, help: 'give it the whole screen, or only a part' },
    hint: ({ isZoomed }) => (isZoomed ? 'smaller' : 'whole screen'),
    press: to((scene) => ({ ...scene, isZoomed: !scene.isZoomed })),
  },
  {
    ...{ keys: ['escape'], label: 'Esc', hint: () => 'back', help: 'go back one step' },
    ...{ isPossible: canGoBack, press: to(back) },
  },
  {
    ...{ keys: ['suspend'], label: 'Ctrl-Z', help: 'suspend the view; fg brings it back' },
    ...{ isPossible: () => true, press: (scene) => ({ scene, intent: { type: 'suspend' } }) },
  },
  {
    ...{ keys: ['?'], label: '?', hint: () => 'keys', help: 'this page; any key goes back' },
    ...{ isPossible: () => true, press: to((scene) => ({ ...scene, isHelp: true })) },
  },
  {
    ...{ keys: ['q'], label: 'q', hint: () => 'quit', help: 'quit; the services go on' },
    ...{ isPossible: () => true, press: (scene) => ({ scene, intent: { type: 'quit' } }) },
  },
];
