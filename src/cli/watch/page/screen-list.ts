// The services in the full-screen view: the part of the table around the selected row, and charts of its CPU
// and memory use.
import { instant } from '../../../streams/domain/time.ts';
import type { ServiceDocument } from '../../../streams/wire/documents/documents.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { Paint } from '../../../streams/views/words/paint.ts';
import { serviceTable } from '../../render/service-rows.ts';
import { cpuText, memoryText, type ShownService } from '../../render/service-columns.ts';
import { cut } from '../../render/text-table.ts';
import { shownName } from '../../../client/live-model.ts';
import type { LiveRow } from '../model/rows.ts';
import { placeOf, type Scene, selectedRow } from '../model/scene.ts';
import { sparkline, sumOfTrends, type Trend } from '../model/trends.ts';
import { reasonNow } from '../../../streams/views/words/reason.ts';

const MARK = '> ';
const TREND = 8;
/** Minimum width of the terminal at which the table has charts, columns. */
const WIDE = 120;
const WIDEST_PICTURE = 60;
const LEAST_CPU = 1;
const LEAST_MEMORY = 1024;
const NO_TREND: Trend = { cpu: [], memory: [] };

const trendOf = ({ trends }: Scene, { members }: LiveRow): Trend =>
  sumOfTrends(members.map((id) => trends.get(id) ?? NO_TREND));

const shownIn =
  (scene: Scene) =>
  (row: LiveRow): ShownService => {
    const { service, count } = row;
    const named = { ...service, name: shownName(row.id), reason: reasonNow(service, instant(scene.now)) };
    const shown = { service: named, ...(count !== undefined && { count }) };
    const trend = scene.size.columns < WIDE ? NO_TREND : trendOf(scene, row);
    if (trend.cpu.length === 0) return shown;
    const cpu = sparkline(trend.cpu, TREND, LEAST_CPU);
    return { ...shown, trends: { cpu, memory: sparkline(trend.memory, TREND, LEAST_MEMORY) } };
  };

/** Returns the mark before a row: whether it is selected, and whether it can be expanded or collapsed. */
const markOf = ({ isOpen }: LiveRow, isSelected: boolean): string => {
  const fold = isOpen === undefined ? ' ' : isOpen ? '▾' : '▸';
  return (isSelected ? '>' : ' ') + fold;
};

/** Highlights the letters of the name that match the filter. The name is in the first cell of the line. */
const highlighted = (line: string, { id, places }: LiveRow, paint: Paint): string => {
  const name = shownLine(shownName(id));
  const shown = line.startsWith(name) ? name : line.slice(0, line.indexOf('…'));
  const letters = Array.from(shown, (letter, at) =>
    places.includes(at) ? paint('reverse', letter) : letter,
  );
  return letters.join('') + line.slice(shown.length);
};

/** Returns the heading and at most `room` rows. The selected row is always among them. */
export const tableLines = (scene: Scene, paint: Paint, room: number): readonly string[] => {
  const { rows: all, now } = scene;
  const { columns } = scene.size;
  const chosen = placeOf(scene);
  const first = Math.max(0, Math.min(all.length - room, chosen - Math.floor(room / 2)));
  const shown = all.slice(first, first + room);
  const look = { paint, now, columns: Math.max(1, columns - MARK.length) };
  const table = serviceTable(shown.map(shownIn(scene)), look);
  const marked = shown.map((row, at) => {
    const line = table.rows[at] ?? '';
    const isSelected = first + at === chosen;
    const mark = markOf(row, isSelected);
    return (
      (isSelected ? paint('bold', mark) : mark) +
      (row.places.length === 0 ? line : highlighted(line, row, paint))
    );
  });
  return [`  ${table.heading}`, ...marked].map((line) => (columns < MARK.length ? '' : line));
};

interface Picture {
  readonly label: string;
  readonly amounts: Trend['cpu'];
  readonly least: number;
  readonly now: string;
}

const pictureLine = ({ label, amounts, least, now }: Picture, columns: number, paint: Paint): string => {
  const head = cut(`  ${label} `, columns);
  const tail = ` ${now}`;
  const width = Math.max(0, Math.min(WIDEST_PICTURE, columns - head.length - tail.length));
  const picture = paint('cyan', sparkline(amounts, width, least));
  return paint('dim', head) + picture + cut(tail, Math.max(0, columns - head.length - width));
};

const picturesOf = (service: ServiceDocument, trend: Trend): readonly Picture[] => [
  { label: 'cpu   ', amounts: trend.cpu, least: LEAST_CPU, now: cpuText(service) },
  { label: 'memory', amounts: trend.memory, least: LEAST_MEMORY, now: memoryText(service) },
];

/** Returns the reason of the selected service, and charts of its CPU and memory use. */
export const detailLines = (scene: Scene, paint: Paint): readonly string[] => {
  const chosen = selectedRow(scene);
  if (chosen === undefined) return [];
  const { id, service } = chosen;
  const { columns } = scene.size;
  const reason = reasonNow(service, instant(scene.now));
  const why = reason === null ? '' : `: ${shownLine(reason)}`;
  const pictures = picturesOf(service, trendOf(scene, chosen));
  return [
    cut(`${shownName(id)}${why}`, columns),
    ...pictures.map((each) => pictureLine(each, columns, paint)),
  ];
};
