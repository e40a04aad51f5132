// The services in the full-screen view: a table around the selected one, and its CPU and memory use.
import { instant } from '../../streams/domain/time.ts';
import type { ProjectDocument, ServiceDocument } from '../../streams/wire/documents/documents.ts';
import { shownLine } from '../../streams/views/words/foreign-text.ts';
import { isInTrouble } from '../../streams/views/trouble.ts';
import type { Paint } from '../../streams/views/words/paint.ts';
import { blocksOf } from '../render/grouped-rows.ts';
import { serviceTable } from '../render/service-rows.ts';
import { cpuText, memoryText, type ShownService } from '../render/service-columns.ts';
import { cut } from '../render/text-table.ts';
import { projectsOf, shownName } from '../../client/live-model.ts';
import type { Scene } from './scene.ts';
import { sparkline, sumOfTrends, type Trend } from './trends.ts';
import { placeOf } from './key-presses.ts';
import { reasonNow } from '../../streams/views/words/reason.ts';

export interface PageLook {
  readonly paint: Paint;
  readonly columns: number;
  readonly rows: number;
  readonly now: number;
}

/** A row of the table: a service, or all instances of a service with `replicas`. */
interface LiveRow extends ShownService {
  /** Id in the form `project/service`. */
  readonly id: string;
  /** The ids of the services in this row. */
  readonly members: readonly string[];
}

const rowIn = ({ id }: ProjectDocument, shown: ShownService): LiveRow => {
  const idOf = (name: string): string => `${id}/${name}`;
  const { service, instances = [service.name] } = shown;
  return { ...shown, id: idOf(service.name), members: instances.map(idOf) };
};

/** Returns the rows in the displayed order: services in trouble come first, with the other instances. */
export const shownRows = ({ model, ui }: Scene): readonly LiveRow[] => {
  const blocks = projectsOf(model).flatMap((project) =>
    blocksOf(project, ui.unfolded).map((block) => block.map((shown) => rowIn(project, shown))),
  );
  const isFailing = (block: readonly LiveRow[]): boolean => block.some(({ service }) => isInTrouble(service));
  return [...blocks.filter(isFailing), ...blocks.filter((block) => !isFailing(block))].flat();
};

/** Returns the ids of the services in a row. */
export const membersOf = (scene: Scene, row: string): readonly string[] =>
  shownRows(scene).find(({ id }) => id === row)?.members ?? [row];

const MARK = '> ';
const TREND = 8;
/** From this many columns on the table has charts. */
const WIDE = 120;
const WIDEST_PICTURE = 60;
const LEAST_CPU = 1;
const LEAST_MEMORY = 1024;
const NO_TREND: Trend = { cpu: [], memory: [] };

const chosenIn = (rows: readonly LiveRow[], { ui }: Scene): number =>
  placeOf(
    ui,
    rows.map(({ id }) => id),
  );

const trendOf = ({ trends }: Scene, { members }: LiveRow): Trend =>
  sumOfTrends(members.map((id) => trends.get(id) ?? NO_TREND));

const shownIn =
  (scene: Scene, { columns, now }: PageLook) =>
  (row: LiveRow): ShownService => {
    const { service, count } = row;
    const named = { ...service, name: shownName(row.id), reason: reasonNow(service, instant(now)) };
    const shown = { service: named, ...(count !== undefined && { count }) };
    const trend = columns < WIDE ? NO_TREND : trendOf(scene, row);
    if (trend.cpu.length === 0) return shown;
    const cpu = sparkline(trend.cpu, TREND, LEAST_CPU);
    return { ...shown, trends: { cpu, memory: sparkline(trend.memory, TREND, LEAST_MEMORY) } };
  };

/** Returns the heading and at most `room` rows; the selected one is always among them. */
export const tableLines = (scene: Scene, look: PageLook, room: number): readonly string[] => {
  const all = shownRows(scene);
  const chosen = chosenIn(all, scene);
  const { paint, columns } = look;
  const first = Math.max(0, Math.min(all.length - room, chosen - Math.floor(room / 2)));
  const shown = all.slice(first, first + room).map(shownIn(scene, look));
  const table = serviceTable(shown, { ...look, columns: Math.max(1, columns - MARK.length) });
  const marked = table.rows.map((row, at) => (first + at === chosen ? paint('bold', MARK) : '  ') + row);
  return [`  ${table.heading}`, ...marked].map((line) => (columns < MARK.length ? '' : line));
};

interface Picture {
  readonly label: string;
  readonly amounts: Trend['cpu'];
  readonly least: number;
  readonly now: string;
}

const pictureLine = ({ label, amounts, least, now }: Picture, { paint, columns }: PageLook): string => {
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
export const detailLines = (scene: Scene, look: PageLook): readonly string[] => {
  const all = shownRows(scene);
  const chosen = all[chosenIn(all, scene)];
  if (chosen === undefined) return [];
  const { id, service } = chosen;
  const reason = reasonNow(service, instant(look.now));
  const why = reason === null ? '' : `: ${shownLine(reason)}`;
  const pictures = picturesOf(service, trendOf(scene, chosen));
  return [cut(`${shownName(id)}${why}`, look.columns), ...pictures.map((each) => pictureLine(each, look))];
};
