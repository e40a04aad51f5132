// The full-screen view as lines: a pure function of the scene. They never exceed the size of the terminal.
import { shownName } from '../../../client/live-model.ts';
import type { EventDocument } from '../../../streams/wire/documents/event-document.ts';
import type { ServiceDocument } from '../../../streams/wire/documents/documents.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import { type Paint, paintOf } from '../../../streams/views/words/paint.ts';
import { isInTrouble } from '../../../streams/views/trouble.ts';
import { eventLines } from '../../render/event-line.ts';
import { cut } from '../../render/text-table.ts';
import { messageLines, sharesOf } from '../model/page-shares.ts';
import { serviceCount } from '../model/rows.ts';
import { type Scene, shownEvents } from '../model/scene.ts';
import { whyTextOf } from '../model/why-text.ts';
import { cutColoured } from './coloured-rows.ts';
import { footer, helpPage } from './help-lines.ts';
import { logRows, logTitle } from './screen-log.ts';
import { detailLines, tableLines } from './screen-list.ts';

const plain = paintOf(false);

const headline = (scene: Scene, paint: Paint): string => {
  const services = [...scene.model.services.values()];
  const count = (is: (service: ServiceDocument) => boolean): number => services.filter(is).length;
  const trouble = count(isInTrouble);
  const facts = [
    `${services.length} ${services.length === 1 ? 'service' : 'services'}`,
    `${count(({ state }) => state === 'running')} running`,
    `${trouble} in trouble`,
  ].join(', ');
  const { columns } = scene.size;
  const head = cut(facts, columns);
  const link = cut(`  ${scene.link.text}`, Math.max(0, columns - head.length));
  return paint(trouble > 0 ? 'red' : 'bold', head) + paint(scene.link.ink, link);
};

/** Returns the line about filter and sort. */
const viewLine = ({ filter, sort, typing, rows, model, size }: Scene, paint: Paint): string => {
  const filtered =
    filter === '' && typing !== 'filter'
      ? []
      : [`filter "${shownLine(filter)}": ${serviceCount(rows)} of ${model.services.size}`];
  const sorted = sort === undefined ? [] : [`sorted by ${sort.column} ${sort.isDescending ? '▼' : '▲'}`];
  return paint('cyan', cut([...filtered, ...sorted].join('  '), size.columns));
};

/** Returns the event as `sup events` prints it, cut to the width of the terminal. */
const happenedLines = (event: EventDocument, columns: number, paint: Paint): readonly string[] =>
  eventLines(event, { paint: plain, columns }).map((line, index) => {
    const shown = cut(line, columns);
    const time = index === 0 ? event.at.length : 0;
    return paint('dim', shown.slice(0, time)) + shown.slice(time);
  });

const eventRows = (scene: Scene, paint: Paint, rows: number): readonly string[] => {
  const all = shownEvents(scene);
  const last = all.length - scene.scrolled;
  const shown = all.slice(Math.max(0, last - rows), last);
  return rows === 0
    ? []
    : shown.flatMap((event) => happenedLines(event, scene.size.columns, paint)).slice(-rows);
};

const whyRows = (scene: Scene, paint: Paint, rows: number): readonly string[] =>
  whyTextOf(scene, paint)
    .slice(scene.scrolled, scene.scrolled + rows)
    .map((line) => cutColoured(line, scene.size.columns));

const titleOf = (scene: Scene): string => {
  if (scene.pane === 'logs') return logTitle(scene);
  if (scene.pane === 'why') return `WHY ${shownName(scene.why.of ?? '')}`;
  return scene.scrolled === 0 ? 'EVENTS' : `EVENTS  ${scene.scrolled} newer below`;
};

const PANES = { events: eventRows, logs: logRows, why: whyRows };

const paneLines = (scene: Scene, paint: Paint, rows: number): readonly string[] => [
  paint(scene.focus === 'pane' ? 'bold' : 'dim', cut(titleOf(scene), scene.size.columns)),
  ...PANES[scene.pane](scene, paint, rows),
];

const bodyOf = (scene: Scene, paint: Paint): readonly string[] => {
  if (scene.isHelp) return helpPage(scene, paint);
  const { services, view, detail, pane } = sharesOf(scene);
  return [
    headline(scene, paint),
    ...(view ? [viewLine(scene, paint)] : []),
    ...(services === undefined ? [] : tableLines(scene, paint, services)),
    ...(detail ? detailLines(scene, paint) : []),
    ...(pane === undefined ? [] : paneLines(scene, paint, pane)),
  ];
};

/** Returns the page, one string per row; the last one has the keys, a question, or the text that is typed. */
export const pageLines = (scene: Scene, paint: Paint): readonly string[] => {
  const { remark, size } = scene;
  const messages = messageLines(scene)
    .slice(0, Math.max(0, size.rows - 1))
    .map((line) => paint(remark?.ink ?? 'yellow', line));
  const room = Math.max(0, size.rows - 1 - messages.length);
  const body = bodyOf(scene, paint).slice(0, room);
  const blank = Array.from({ length: room - body.length }, () => '');
  return [...body, ...blank, ...messages, footer(scene, paint)].slice(-size.rows);
};
