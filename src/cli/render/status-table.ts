// `sup status` for people: one table per project, with the reason beside every word (`docs/commands.md`, "status").
import type {
  ProjectDocument,
  ServiceDocument,
  StateWord,
  StatusDocument,
  SupervisorDocument,
} from '../../streams/wire/documents.ts';
import { ageText, sizeText } from './amount.ts';
import { harmless, oneLine, type Ink, type Paint } from './paint.ts';
import { cut, lineOf, widthsOf, type Cell, type Fit, type Row } from './table.ts';

export const STATE_INK: Readonly<Record<StateWord, Ink>> = {
  scheduled: 'cyan',
  waiting: 'yellow',
  starting: 'yellow',
  running: 'green',
  backoff: 'red',
  stopping: 'yellow',
  stopped: 'dim',
  done: 'green',
  failed: 'red',
  'breaker-open': 'red',
  casualty: 'red',
  skipped: 'dim',
  lost: 'red',
};

export interface Look {
  readonly paint: Paint;
  /** Width of the terminal; absent in a pipe, where nothing is cut. */
  readonly columns: number | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const HEADINGS = ['SERVICE', 'STATE', 'HEALTH', 'PID', 'CPU', 'MEM', 'UPTIME', 'RESTARTS', 'REASON'];
const NUMBERS: ReadonlySet<string> = new Set(['PID', 'CPU', 'MEM', 'RESTARTS']);
const heading: Row = HEADINGS.map((text) => ({
  text,
  ink: 'dim',
  ...(NUMBERS.has(text) && { right: true }),
}));

const number = (text: string): Cell => ({ text, right: true });

const usageCells = ({ cpu_percent: cpu, rss_bytes: memory }: ServiceDocument): Row => [
  number(cpu === null ? '-' : `${cpu.toFixed(1)} %`),
  number(memory === null ? '-' : sizeText(memory)),
];

const healthInk = ({ health }: ServiceDocument): Ink => {
  if (health === 'healthy') return 'green';
  return health === 'unhealthy' ? 'red' : 'dim';
};

const reasonOf = ({ reason, error }: ServiceDocument): string => {
  if (error === null) return reason ?? '';
  return reason === null || reason.includes(error.code)
    ? (reason ?? `${error.code} ${error.message}`)
    : `${reason} (${error.code})`;
};

const rowOf = (service: ServiceDocument, now: number): Row => [
  { text: service.name },
  { text: service.state, ink: STATE_INK[service.state] },
  { text: service.health === 'unknown' ? '-' : service.health, ink: healthInk(service) },
  number(service.pid === null ? '-' : String(service.pid)),
  ...usageCells(service),
  { text: service.pid === null ? '-' : ageText(service.started_at, now) },
  number(String(service.restarts_total)),
  { text: oneLine(reasonOf(service)) },
];

const titleOf = ({ id, name, manifest }: ProjectDocument): string => {
  const title = id === '__loose__' ? 'loose services' : name === id ? id : `${id} (${name})`;
  return harmless(manifest === null ? title : `${title}  ${manifest}`);
};

const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`);

const supervisorLine = (supervisor: SupervisorDocument, { paint, now }: Look): string => {
  const { running, pid, since, version, restarts } = supervisor;
  if (!running) return paint('yellow', 'no supervisor is running: this is what was last recorded');
  const facts = [
    pid === null ? undefined : `pid ${pid}`,
    version === null ? undefined : `version ${version}`,
    since === null ? undefined : `up ${ageText(since, now)}`,
    restarts === null || restarts === 0 ? undefined : `brought back ${timesText(restarts)}`,
  ];
  return paint('dim', `supervisor ${facts.filter((fact) => fact !== undefined).join(', ')}`);
};

/** The whole page, one string per line. */
export const statusLines = (status: StatusDocument, look: Look): readonly string[] => {
  const { paint, columns, now } = look;
  const blocks = status.projects.map((project) => ({
    title: titleOf(project),
    rows: project.services.map((service) => rowOf(service, now)),
  }));
  const fit: Fit = { widths: widthsOf([heading, ...blocks.flatMap(({ rows }) => rows)]), columns, paint };
  const body = blocks.flatMap(({ title, rows }) => [
    '',
    paint('bold', columns === undefined ? title : cut(title, columns)),
    ...[heading, ...rows].map((row) => lineOf(row, fit)),
  ]);
  const none = blocks.length === 0 ? ['', 'no services are registered: sup start -c <manifest>'] : [];
  const warnings = status.supervisor.warnings.map((text) => paint('yellow', `warning: ${harmless(text)}`));
  return [supervisorLine(status.supervisor, look), ...warnings, ...body, ...none];
};
