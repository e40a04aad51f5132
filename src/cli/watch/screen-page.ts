// The full-screen view as lines: a pure function of scene and terminal size, which they never exceed.
import { isInTrouble } from '../../streams/views/trouble.ts';
import { shownLine, shownText } from '../../streams/views/words/foreign-text.ts';
import type { EventDocument } from '../../streams/wire/documents/event-document.ts';
import { eventLines } from '../render/event-line.ts';
import { paintOf } from '../../streams/views/words/paint.ts';
import { cut } from '../render/text-table.ts';
import { type LiveService, shownName } from '../../client/live-model.ts';
import { detailLines, shownRows, tableLines, type PageLook } from './screen-list.ts';
import { shownEvents, type Scene } from './scene.ts';
import type { ServiceAction } from './key-presses.ts';

// How the rows of the terminal are divided between services, details of the selected service, and events.

interface Shares {
  readonly services: number;
  /** True if the details of the selected service fit. */
  readonly detail: boolean;
  /** Rows for recent events; 0 if they do not fit. */
  readonly events: number;
}

/** Number of rows that are always used: the summary, the heading of the table, and the keys. */
const FIXED = 3;
const DETAIL = 3;
const EVENTS_TITLE = 1;
const FEWEST_EVENTS = 3;
const ROOMY = 8;

const sharesOf = (rows: number, services: number): Shares => {
  const free = Math.max(0, rows - FIXED);
  const detail = free >= ROOMY;
  const rest = free - (detail ? DETAIL : 0);
  if (rest < ROOMY) return { services: rest, detail, events: 0 };
  const shown = Math.min(services, rest - EVENTS_TITLE - FEWEST_EVENTS);
  return { services: shown, detail, events: rest - shown - EVENTS_TITLE };
};

const plain = paintOf(false);

const KEYS = '↑↓ select  ⏎ why  l logs  r restart  s stop  ? help  q quit';
const HELP = [
  ['↑ ↓ k j', 'select a service; PgUp PgDn Home End go further'],
  ['Enter', 'why it is as it is; Esc or q goes back'],
  ['l', 'its logs as they come; Esc or q goes back'],
  ['v', 'list instances of services with replicas one by one, or together'],
  ['r', 'restart it, by its strategy; asks first'],
  ['s', 'stop it; its dependents are left alone; asks first'],
  ['?', 'this page; any key goes back'],
  ['q', 'quit; the services go on'],
] as const;

const clock = (at: number): string => {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
};

const headline = (scene: Scene, { paint, columns }: PageLook): string => {
  const services = [...scene.model.services.values()];
  const count = (is: (service: LiveService['service']) => boolean): number => services.filter(is).length;
  const trouble = count(isInTrouble);
  const facts = [
    `${services.length} ${services.length === 1 ? 'service' : 'services'}`,
    `${count(({ state }) => state === 'running')} running`,
    `${trouble} in trouble`,
  ].join(', ');
  const head = cut(facts, columns);
  const link = cut(`  ${scene.link.text}`, Math.max(0, columns - head.length));
  return paint(trouble > 0 ? 'red' : 'bold', head) + paint(scene.link.ink, link);
};

/** Returns the event as `sup events` prints it, cut to the width of the terminal. */
const happenedLines = (event: EventDocument, { paint, columns }: PageLook): readonly string[] =>
  eventLines(event, { paint: plain, columns }).map((line, index) => {
    const shown = cut(line, columns);
    const time = index === 0 ? event.at.length : 0;
    return paint('dim', shown.slice(0, time)) + shown.slice(time);
  });

const questionOf = ({ type, service }: ServiceAction): string =>
  `${type} ${shownName(service)}? y: yes, any other key: no`;

const footer = ({ ui }: Scene, { paint, columns }: PageLook): string => {
  if (ui.pending !== undefined) return paint('yellow', cut(questionOf(ui.pending), columns));
  return ui.remark === undefined
    ? paint('dim', cut(KEYS, columns))
    : paint(ui.remark.ink, cut(shownLine(ui.remark.text), columns));
};

const servicesPage = (scene: Scene, look: PageLook): readonly string[] => {
  const shares = sharesOf(look.rows, shownRows(scene).length);
  const recent = shares.events === 0 ? [] : shownEvents(scene).slice(-shares.events);
  const events = recent.flatMap((event) => happenedLines(event, look)).slice(-shares.events);
  const body = [
    ...tableLines(scene, look, shares.services),
    ...(shares.detail ? detailLines(scene, look) : []),
    ...(shares.events === 0 ? [] : [look.paint('dim', cut('EVENTS', look.columns))]),
    ...events,
  ];
  return [headline(scene, look), ...body];
};

const helpPage = ({ paint, columns }: PageLook): readonly string[] => [
  paint('bold', cut('keys', columns)),
  '',
  ...HELP.map(([key, meaning]) => cut(`  ${key.padEnd(9)} ${meaning}`, columns)),
];

const logPage = (scene: Scene, { paint, columns, rows }: PageLook): readonly string[] => {
  const { selected, log } = scene.ui;
  const lines = log.slice(-Math.max(0, rows - 2)).map(({ at, text }) => {
    const time = at === '' ? '' : `${clock(Date.parse(at))} `;
    return cut(time + shownText(text).replaceAll('\t', ' '), columns);
  });
  const none = lines.length === 0 ? [cut('nothing was printed yet', columns)] : [];
  return [paint('bold', cut(`logs of ${shownName(selected ?? '')}  Esc back`, columns)), ...none, ...lines];
};

const whyPage = ({ ui: { selected, why } }: Scene, { paint, columns }: PageLook): readonly string[] => [
  paint('bold', cut(`why ${shownName(selected ?? '')}  Esc back`, columns)),
  ...(why ?? ['asking the supervisor …']).map((line) => cut(line, columns)),
];

const bodyOf = (scene: Scene, look: PageLook): readonly string[] => {
  if (scene.ui.page === 'help') return helpPage(look);
  if (scene.ui.page === 'why') return whyPage(scene, look);
  return scene.ui.page === 'logs' ? logPage(scene, look) : servicesPage(scene, look);
};

/** Returns the page, one string per row; the last one has the keys, a question or a remark. */
export const pageLines = (scene: Scene, look: PageLook): readonly string[] => {
  const body = bodyOf(scene, look).slice(0, Math.max(0, look.rows - 1));
  const blank = Array.from({ length: Math.max(0, look.rows - 1 - body.length) }, () => '');
  return [...body, ...blank, footer(scene, look)];
};
