// The tools `status`, `why` and `metrics`: the states of services, their causes, and their resource use.
import { setTimeout as pause } from 'node:timers/promises';
import type { Sup } from '../../client/api/sup-interface.ts';
import { isInTrouble } from '../../streams/views/trouble.ts';
import { sizeText } from '../../streams/views/words/age-and-size.ts';
import type {
  ProjectDocument,
  ServiceDocument,
  StatusDocument,
} from '../../streams/wire/documents/documents.ts';
import type { MeasuredService, MetricsDocument } from '../../streams/wire/documents/metrics-documents.ts';
import type { WhyRoot, WhyService } from '../../streams/wire/documents/why-document.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import { shownName } from '../../client/live-model.ts';
import { projectId, serviceId } from '../../streams/domain/ids.ts';
import { isSelected } from '../../streams/selection/match.ts';
import { cleanDocument, quoted, textOf, UNTRUSTED } from './clean-document.ts';
import { nextPageLines, type Page, pageOf } from './paging.ts';
import { countText, SELECTING, selectionIn, type ToolAnswer, type AgentTool, UNANSWERED } from './tool.ts';
import { countIn, flagIn, textIn } from './tool-arguments.ts';

const PAGING = {
  cursor: { type: 'cursor', describe: 'From the result before: continues there' },
} as const;

interface Row {
  readonly project: string;
  readonly service: ServiceDocument;
}

const rowsOf = ({ projects }: StatusDocument): readonly Row[] =>
  projects.flatMap(({ id: project, services }) => services.map((service) => ({ project, service })));

const idOf = ({ project, service }: Row): string => shownName(`${project}/${service.name}`);

const countsOf = (rows: readonly Row[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { service } of rows) counts[service.state] = (counts[service.state] ?? 0) + 1;
  return counts;
};

/** Returns a line that says whether the status is current or was last recorded. */
const supervisorLine = ({ supervisor }: Pick<StatusDocument, 'supervisor'>): string =>
  supervisor.running
    ? `the supervisor runs: pid ${supervisor.pid ?? 'unknown'}, sup ${supervisor.version ?? 'unknown'}`
    : UNANSWERED;

const rowLine = (row: Row): string => {
  const { state, health, reason, pid } = row.service;
  const facts = [health === 'unknown' ? [] : health, pid === null ? [] : `pid ${pid}`, reason ?? []].flat();
  return `${idOf(row)} ${state}${facts.length === 0 ? '' : ` (${facts.join('; ')})`}`;
};

const projectsOf = (
  projects: readonly ProjectDocument[],
  shown: ReadonlySet<ServiceDocument>,
): readonly ProjectDocument[] =>
  projects.flatMap(({ groups = [], ...project }) => {
    const services = project.services.filter((service) => shown.has(service));
    const names = new Set(services.map(({ name }) => name));
    const whole = groups.filter(({ instances }) => instances.every((name) => names.has(name)));
    return services.length === 0
      ? []
      : [{ ...project, services, ...(whole.length > 0 && { groups: whole }) }];
  });

const statusAnswer = (document: StatusDocument, rows: readonly Row[], page: Page<Row>): ToolAnswer => {
  const counts = countsOf(rows);
  const shown = new Set(page.shown.map(({ service }) => service));
  const part = cleanDocument({ ...document, projects: projectsOf(document.projects, shown) });
  const troubled = rows.filter(({ service }) => isInTrouble(service)).length;
  const sums = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
  const lines = [
    supervisorLine(document),
    `${countText(rows.length, 'service')}${sums.length === 0 ? '' : `: ${sums.join(', ')}`}; ${troubled} in trouble`,
    ...cleanDocument(page.shown).map(rowLine),
    ...nextPageLines(page, 'trouble: true, services or projects'),
    ...part.supervisor.warnings.map((warning) => `warning: ${warning}`),
  ];
  return { text: textOf(lines), content: { document: part, counts, total: page.total, next: page.next } };
};

/**
 * Returns the services in another order: services in trouble come first, so that they are on the first page.
 */
const byTrouble = (rows: readonly Row[]): readonly Row[] => [
  ...rows.filter(({ service }) => isInTrouble(service)),
  ...rows.filter(({ service }) => !isInTrouble(service)),
];

export const STATUS: AgentTool = {
  name: 'status',
  title: 'States of services',
  describe:
    'The state of every service: a count of all, then a page of them with reason and pid, services in trouble first. Begin here. Document: sup.status/1.',
  takes: {
    ...SELECTING,
    trouble: { type: 'flag', describe: 'Only services that need attention' },
    limit: { type: 'count', describe: 'Services on a page', least: 1, most: 100, usual: 20 },
    ...PAGING,
  },
  run: async (given, { sup }) => {
    const document = await sup.status(selectionIn(given));
    const rows = byTrouble(rowsOf(document));
    const wanted = flagIn(given, 'trouble') ? rows.filter(({ service }) => isInTrouble(service)) : rows;
    return statusAnswer(document, rows, pageOf(wanted, countIn(given, 'limit', 20), textIn(given, 'cursor')));
  },
};

const rootLines = ({ service, printed, advice }: WhyRoot): readonly string[] => [
  ...(advice === null ? [] : [`  advice for ${shownName(service)}: ${advice}`]),
  ...(printed.length === 0 ? [] : quoted(`last output of ${shownName(service)}`, printed)),
];

const whyLines = ({
  project,
  service,
  state,
  health,
  chain,
  roots,
  next,
  actions,
}: WhyService): readonly string[] => [
  `${shownName(`${project}/${service}`)} is ${state}${health === 'unknown' ? '' : `, ${health}`}`,
  ...chain.map((step) => {
    const facts = [
      step.since === null ? [] : `since ${step.since}`,
      step.event ?? [],
      step.reason ?? [],
    ].flat();
    return `  ${shownName(step.service)} ${step.state}: ${facts.join('; ')}`;
  }),
  `  next: ${next.text}`,
  ...actions.map(({ command, meaning }) => `  ${command}  (${meaning})`),
  ...roots.flatMap(rootLines),
];

export const WHY: AgentTool = {
  name: 'why',
  title: 'Why services are as they are',
  describe: `The chain of causes of a state, the last output of its root, what happens next, and what one can do. Without services: all in trouble. ${UNTRUSTED} Document: sup.why/1.`,
  takes: {
    ...SELECTING,
    limit: { type: 'count', describe: 'Services at most', least: 1, most: 20, usual: 5 },
  },
  run: async (given, { sup }) => {
    const found = await sup.why(selectionIn(given));
    const page = pageOf(found.services, countIn(given, 'limit', 5));
    const document = cleanDocument({ ...found, services: page.shown });
    const rest = page.total - page.shown.length;
    const lines = [
      ...(found.supervised ? [] : [UNANSWERED]),
      ...(page.total === 0 ? ['nothing is in trouble'] : document.services.flatMap(whyLines)),
      ...(rest === 0 ? [] : [`${countText(rest, 'more service')}; select by name`]),
    ];
    return { text: textOf(lines), content: { document, total: page.total } };
  },
};

const SORTS = ['cpu', 'memory', 'name'] as const;

const AMOUNTS: Readonly<Record<string, (service: MeasuredService) => number>> = {
  cpu: ({ cpu_percent }) => -(cpu_percent ?? -1),
  memory: ({ rss_bytes }) => -(rss_bytes ?? -1),
  name: () => 0,
};

const measuredLine = (one: MeasuredService): string => {
  const cpu = one.cpu_percent === null ? [] : [`cpu ${one.cpu_percent.toFixed(1)} %`];
  const memory = one.rss_bytes === null ? [] : [`memory ${sizeText(one.rss_bytes)}`];
  const facts = [one.state, ...cpu, ...memory, countText(one.restarts_total, 'restart')];
  return `${shownName(`${one.project}/${one.service}`)} ${facts.join(', ')}`;
};

/**
 * How long to wait for metrics, ms. A supervisor sends metrics within milliseconds. The wait must have a
 * limit, because `metrics$` does not end when the supervisor ends, but waits for the next supervisor.
 */
const METRICS_MS = 5_000;

const firstOf = async ({ metrics$, dataDir }: Sup): Promise<MetricsDocument> => {
  const late = new AbortController();
  const gone = async (): Promise<never> => {
    await pause(METRICS_MS, undefined, { signal: late.signal });
    throw failure({ code: 'ERR0206', dataDir });
  };
  const first = async (): Promise<MetricsDocument> => {
    for await (const document of metrics$) return document;
    throw failure({ code: 'ERR0206', dataDir });
  };
  try {
    return await Promise.race([first(), gone()]);
  } finally {
    late.abort();
  }
};

export const METRICS: AgentTool = {
  name: 'metrics',
  title: 'Use of processor and memory',
  describe:
    'Processor time, memory, restarts and probe times of services and of the supervisor. Document: sup.metrics/1.',
  takes: {
    ...SELECTING,
    sort: {
      type: 'word',
      describe: 'Largest first by cpu or memory, or by name; cpu unless given',
      words: SORTS,
    },
    limit: { type: 'count', describe: 'Services on a page', least: 1, most: 200, usual: 20 },
    ...PAGING,
  },
  run: async (given, { sup }) => {
    const selection = selectionIn(given);
    const { supervisor } = await sup.status(selection);
    if (!supervisor.running) throw failure({ code: 'ERR0206', dataDir: sup.dataDir });
    const document = await firstOf(sup);
    const amount = AMOUNTS[textIn(given, 'sort') ?? 'cpu'] ?? (() => 0);
    const services = document.services.filter(({ project, service: name }) =>
      isSelected({ id: serviceId(projectId(project), name), name, project }, selection),
    );
    const sorted = services.toSorted((one, other) => amount(one) - amount(other));
    const page = pageOf(sorted, countIn(given, 'limit', 20), textIn(given, 'cursor'));
    const part = cleanDocument({ ...document, services: page.shown });
    const own = `supervisor: pid ${part.supervisor.pid}, memory ${sizeText(part.supervisor.rss_bytes)}`;
    const lines = [own, ...part.services.map(measuredLine), ...nextPageLines(page, 'services or projects')];
    return { text: textOf(lines), content: { document: part, total: page.total, next: page.next } };
  },
};
