// The services in the full-screen view: a table around the selected one, and its CPU and memory use.
import { instant } from '../../streams/domain/time.ts';
import type { ServiceDocument } from '../../streams/wire/documents/documents.ts';
import { shownLine } from '../../streams/views/words/foreign-text.ts';
import { isInTrouble } from '../client/activities.ts';
import type { Paint } from '../../streams/views/words/paint.ts';
import { serviceTable } from '../render/service-rows.ts';
import { cpuText, memoryText, type ShownService } from '../render/service-columns.ts';
import { cut } from '../render/text-table.ts';
import { projectsOf, servicesIn, shownName, type LiveModel, type LiveService } from './live-model.ts';
import type { Scene } from './scene.ts';
import { sparkline, type Trend } from './trends.ts';
import { placeOf } from './key-presses.ts';
import { reasonNow } from '../../streams/views/words/reason.ts';

export interface PageLook {
  readonly paint: Paint;
  readonly columns: number;
  readonly rows: number;
  readonly now: number;
}

/** Returns the services in the displayed order: those in trouble come first. */
export const shownServices = (model: LiveModel): readonly LiveService[] => {
  const services = servicesIn(projectsOf(model));
  const isFailing = ({ service }: LiveService): boolean => isInTrouble(service);
  return [...services.filter(isFailing), ...services.filter((one) => !isFailing(one))];
};

const MARK = '> ';
const TREND = 8;
/** From this many columns on the table has charts. */
const WIDE = 120;
const WIDEST_PICTURE = 60;
const LEAST_CPU = 1;
const LEAST_MEMORY = 1024;
const NO_TREND: Trend = { cpu: [], memory: [] };

/** Returns the services in the displayed order, and the index of the selected one. */
const chosenIn = ({
  model,
  ui,
}: Scene): { readonly services: readonly LiveService[]; readonly chosen: number } => {
  const services = shownServices(model);
  return {
    services,
    chosen: placeOf(
      ui,
      services.map(({ id }) => id),
    ),
  };
};

const shownIn =
  ({ trends }: Scene, { columns, now }: PageLook) =>
  ({ id, service }: LiveService): ShownService => {
    const trend = columns < WIDE ? undefined : trends.get(id);
    const named = { ...service, name: shownName(id), reason: reasonNow(service, instant(now)) };
    if (trend === undefined) return { service: named };
    const cpu = sparkline(trend.cpu, TREND, LEAST_CPU);
    return { service: named, trends: { cpu, memory: sparkline(trend.memory, TREND, LEAST_MEMORY) } };
  };

/** Returns the heading and at most `room` services; the selected one is always among them. */
export const tableLines = (scene: Scene, look: PageLook, room: number): readonly string[] => {
  const { services, chosen } = chosenIn(scene);
  const { paint, columns } = look;
  const first = Math.max(0, Math.min(services.length - room, chosen - Math.floor(room / 2)));
  const shown = services.slice(first, first + room).map(shownIn(scene, look));
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

const picturesOf = (service: ServiceDocument, trend: Trend = NO_TREND): readonly Picture[] => [
  { label: 'cpu   ', amounts: trend.cpu, least: LEAST_CPU, now: cpuText(service) },
  { label: 'memory', amounts: trend.memory, least: LEAST_MEMORY, now: memoryText(service) },
];

/** Returns the reason of the selected service, and charts of its CPU and memory use. */
export const detailLines = (scene: Scene, look: PageLook): readonly string[] => {
  const { services, chosen } = chosenIn(scene);
  const { id, service } = services[chosen] ?? {};
  if (id === undefined || service === undefined) return [];
  const reason = reasonNow(service, instant(look.now));
  const why = reason === null ? '' : `: ${shownLine(reason)}`;
  const pictures = picturesOf(service, scene.trends.get(id));
  return [cut(`${shownName(id)}${why}`, look.columns), ...pictures.map((each) => pictureLine(each, look))];
};
