// Formats log lines of services: with time and service name, as JSON, or as unchanged text.
import { nameOf, projectOf, shownId, type ServiceId } from '../../domain/ids.ts';
import type { LogDocument } from '../../wire/documents/basic-documents.ts';
import type { LogEntry } from '../../wire/log-line.ts';
import { colouredOutput, documentJson, shownOutput } from './foreign-text.ts';
import { paintOf, type Ink } from './paint.ts';

export interface ShownLine extends Pick<LogEntry, 'at' | 'stream' | 'text'> {
  readonly service: ServiceId;
}

export interface LineStyle {
  readonly services: readonly ServiceId[];
  readonly json: boolean;
  readonly prefix: boolean;
  readonly color: boolean;
  readonly time?: boolean;
  /** True to show times in the time zone of this machine. Otherwise they are in UTC. */
  readonly local?: boolean;
  /** True to put a mark before lines of standard error (`!`) and of the supervisor (`*`). */
  readonly marks?: boolean;
  /** True to print only the text of each line, unchanged. */
  readonly raw?: boolean;
}

export type ShowLine = (line: ShownLine) => string;

const INKS: readonly Ink[] = ['cyan', 'green', 'yellow', 'blue', 'red'];

/** Returns the document `sup.log/1`. */
export const logDocument = ({ at, service, stream, text }: ShownLine): LogDocument => ({
  schema: 'sup.log/1',
  at: at === '' ? null : at,
  project: projectOf(service),
  service: nameOf(service),
  stream,
  text,
});

const asDocument: ShowLine = (line) => documentJson(logDocument(line));

/** Returns the shown name of each service, without the project if all services belong to one project. */
const namesOf = (services: readonly ServiceId[]): ReadonlyMap<ServiceId, string> => {
  const oneProject = new Set(services.map(projectOf)).size <= 1;
  return new Map(services.map((id) => [id, oneProject ? nameOf(id) : shownId(id)]));
};

/** Returns a function that gives the prefix of a line, such as `web | `. Each service has its colour. */
const prefixes = ({ services, color }: LineStyle): ShowLine => {
  const names = namesOf(services);
  const width = Math.max(0, ...[...names.values()].map((name) => name.length));
  const paint = paintOf(color);
  const heads = new Map(
    [...names].map(([id, name], place) => [
      id,
      paint(INKS[place % INKS.length] ?? 'cyan', `${name.padEnd(width)} |`),
    ]),
  );
  return ({ service }) => `${heads.get(service) ?? `${shownId(service)} |`} `;
};

const utcTime = (at: string): string => `${at.slice(0, -4)}Z`;

const two = (number: number): string => String(Math.trunc(number)).padStart(2, '0');

/** Returns a time like `2026-11-21T06:30:15.123+01:00`. */
const localTime = (at: string): string => {
  const moment = new Date(utcTime(at));
  const east = -moment.getTimezoneOffset();
  const here = new Date(moment.getTime() + east * 60_000).toISOString().slice(0, -1);
  return `${here}${east < 0 ? '-' : '+'}${two(Math.abs(east) / 60)}:${two(Math.abs(east) % 60)}`;
};

const times = ({ color, local = false }: LineStyle): ShowLine => {
  const paint = paintOf(color);
  const text = local ? localTime : utcTime;
  const none = ' '.repeat(text('1970-01-01T00:00:00.000000Z').length);
  return ({ at }) => `${paint('dim', at === '' ? none : text(at))} `;
};

const marksOf = ({ color }: LineStyle): ShowLine => {
  const paint = paintOf(color);
  const signs: Readonly<Record<string, string>> = { stderr: paint('red', '! '), sup: paint('cyan', '* ') };
  return ({ stream }) => signs[stream] ?? '';
};

/** Returns the function that formats lines in this style. The formatted lines have no newline at the end. */
export const lineStyle = (style: LineStyle): ShowLine => {
  if (style.json) return asDocument;
  if (style.raw === true) return ({ text }) => text;
  const time = style.time === true ? times(style) : () => '';
  const head = style.prefix ? prefixes(style) : () => '';
  const fit = style.color ? colouredOutput : shownOutput;
  const mark = style.marks === true ? marksOf(style) : () => '';
  return (line) => `${time(line)}${head(line)}${mark(line)}${fit(line.text)}`;
};
