// How a line of a service's log is shown: plain, behind the name of its service, or as a document.
import { nameOf, projectOf, shownId, type ServiceId } from '../../streams/domain/ids.ts';
import type { LogEntry } from '../../streams/wire/log-line.ts';
import { paintOf, type Ink } from './paint.ts';

export interface ShownLine extends Pick<LogEntry, 'at' | 'stream' | 'text'> {
  readonly service: ServiceId;
}

export interface LineStyle {
  readonly services: readonly ServiceId[];
  readonly json: boolean;
  readonly prefix: boolean;
  readonly color: boolean;
}

export type ShowLine = (line: ShownLine) => string;

const INKS: readonly Ink[] = ['cyan', 'green', 'yellow', 'blue', 'red'];

/** `sup.log/1`. */
const asDocument: ShowLine = ({ at, service, stream, text }) =>
  JSON.stringify({
    schema: 'sup.log/1',
    at: at === '' ? null : at,
    project: projectOf(service),
    service: nameOf(service),
    stream,
    text,
  });

/** Bare names where they tell the services apart. */
const namesOf = (services: readonly ServiceId[]): ReadonlyMap<ServiceId, string> => {
  const oneProject = new Set(services.map(projectOf)).size <= 1;
  return new Map(services.map((id) => [id, oneProject ? nameOf(id) : shownId(id)]));
};

/** `web    | text`, a colour per service. */
const prefixed = ({ services, color }: LineStyle): ShowLine => {
  const names = namesOf(services);
  const width = Math.max(0, ...[...names.values()].map((name) => name.length));
  const paint = paintOf(color);
  const heads = new Map(
    [...names].map(([id, name], place) => [
      id,
      paint(INKS[place % INKS.length] ?? 'cyan', `${name.padEnd(width)} |`),
    ]),
  );
  return ({ service, text }) => `${heads.get(service) ?? `${shownId(service)} |`} ${text}`;
};

/** The style of a run of lines; a shown line has no newline at its end. */
export const lineStyle = (style: LineStyle): ShowLine => {
  if (style.json) return asDocument;
  return style.prefix ? prefixed(style) : ({ text }) => text;
};
