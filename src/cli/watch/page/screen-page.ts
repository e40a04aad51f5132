// The full-screen view as lines: a pure function of the scene. The lines never exceed the size of the
// terminal.
import { shownName } from '../../../client/live-model.ts';
import type { ServiceDocument } from '../../../streams/wire/documents/documents.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { Paint } from '../../../streams/views/words/paint.ts';
import { isInTrouble } from '../../../streams/views/trouble.ts';
import { eventLines } from '../../render/event-line.ts';
import { wrapped } from '../../render/paragraphs.ts';
import { cut } from '../../render/text-table.ts';
import { messageLines, sharesOf } from '../model/page-shares.ts';
import { serviceCount } from '../model/rows.ts';
import { placeOf, type Scene, shownEvents } from '../model/scene.ts';
import { whyTextOf } from '../model/why-text.ts';
import { clockText } from './clock-text.ts';
import { cutColoured } from './coloured-rows.ts';
import { footer, helpPage } from './help-lines.ts';
import { logRows, logTitle } from './screen-log.ts';
import { detailLines, tableLines } from './screen-list.ts';

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

/**
 * Returns the line about filter and sort. If the table has more rows than are shown, it also has the
 * position.
 */
const viewLine = (scene: Scene, paint: Paint, shown: number): string => {
  const { filter, sort, typing, rows, model, size } = scene;
  const filtered =
    filter === '' && typing !== 'filter'
      ? []
      : [`filter "${shownLine(filter)}": ${serviceCount(rows)} of ${model.services.size}`];
  const sorted = sort === undefined ? [] : [`sorted by ${sort.column} ${sort.isDescending ? '▼' : '▲'}`];
  const place = rows.length <= shown ? [] : [`row ${placeOf(scene) + 1} of ${rows.length}`];
  return paint('cyan', cut([...filtered, ...sorted, ...place].join('  '), size.columns));
};

const eventRows = (scene: Scene, paint: Paint, rows: number): readonly string[] => {
  const { now, scrolled } = scene;
  const { columns } = scene.size;
  const all = shownEvents(scene);
  const last = all.length - scrolled;
  const timeText = (at: string): string => clockText(at, now);
  const lines = all
    .slice(Math.max(0, last - rows), last)
    .flatMap((event) => eventLines(event, { paint, columns, timeText }));
  return rows === 0 ? [] : lines.slice(-rows).map((line) => cutColoured(line, columns));
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

/**
 * Returns the title and the content of the pane. If logs or events cannot be read, it also has the reason.
 */
const paneLines = (scene: Scene, paint: Paint, rows: number): readonly string[] => {
  const { pane, focus, unread, size } = scene;
  const failure = (pane === 'why' ? undefined : unread[pane]) ?? [];
  const lines = failure.flatMap((line) => wrapped(shownLine(line), size.columns)).slice(0, rows);
  const isEmpty = pane === 'logs' && scene.log.entries.length === 0;
  return [
    paint(focus === 'pane' ? 'bold' : 'dim', cut(titleOf(scene), size.columns)),
    ...(isEmpty && lines.length > 0 ? [] : PANES[pane](scene, paint, rows - lines.length)),
    ...lines.map((line) => paint('red', cut(line, size.columns))),
  ];
};

const bodyOf = (scene: Scene, paint: Paint): readonly string[] => {
  if (scene.isHelp) return helpPage(scene, paint);
  const { services, view, detail, pane } = sharesOf(scene);
  return [
    headline(scene, paint),
    ...(view ? [viewLine(scene, paint, services ?? Infinity)] : []),
    ...(services === undefined ? [] : tableLines(scene, paint, services)),
    ...(detail ? detailLines(scene, paint) : []),
    ...(pane === undefined ? [] : paneLines(scene, paint, pane)),
  ];
};

/**
 * Returns the page, one string per row. The last rows show the possible keys, a question, or the text that
 * the user is typing.
 */
export const pageLines = (scene: Scene, paint: Paint): readonly string[] => {
  const { remark, size } = scene;
  const foot = footer(scene, paint);
  const messages = messageLines(scene)
    .slice(0, Math.max(0, size.rows - foot.length))
    .map((line) => paint(remark?.ink ?? 'yellow', line));
  const room = Math.max(0, size.rows - foot.length - messages.length);
  const body = bodyOf(scene, paint).slice(0, room);
  const blank = Array.from({ length: room - body.length }, () => '');
  return [...body, ...blank, ...messages, ...foot].slice(-size.rows);
};
