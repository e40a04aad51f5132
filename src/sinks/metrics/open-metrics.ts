// Renders the metrics document as OpenMetrics text (`docs/metrics.md`, "For monitoring systems"; D-126).
import { STATE_WORDS } from '../../streams/wire/documents/documents.ts';
import type { MeasuredService, MetricsDocument } from '../../streams/wire/documents/metrics-documents.ts';

export const CONTENT_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

type Supervisor = MetricsDocument['supervisor'];

/** The value of a metric. If it is unknown (`null`), its line is left out. */
type Amount = number | null;

const thousandth = (amount: Amount): Amount => (amount === null ? null : amount / 1_000);

const healthOf = ({ health }: MeasuredService): Amount =>
  health === 'unknown' ? null : Number(health === 'healthy');

const SERVICE_GAUGES: readonly (readonly [string, string, (service: MeasuredService) => Amount])[] = [
  ['sup_service_up', 'Whether the service is running and ready.', ({ up }) => Number(up)],
  ['sup_service_healthy', 'Whether its last probes went well; absent if that is unknown.', healthOf],
  [
    'sup_service_cpu_ratio',
    'Processor time of its process tree over time; 1 is one core.',
    ({ cpu_percent }) => (cpu_percent === null ? null : cpu_percent / 100),
  ],
  ['sup_service_memory_bytes', 'Resident memory of its process tree.', ({ rss_bytes }) => rss_bytes],
  [
    'sup_service_probe_duration_seconds',
    'How long its last health probe took.',
    ({ probe_ms }) => thousandth(probe_ms),
  ],
  ['sup_service_log_bytes', 'What its log files take on disk.', ({ log_bytes }) => log_bytes],
];

const OWN_GAUGES: readonly (readonly [string, string, (own: Supervisor) => Amount])[] = [
  ['sup_supervisor_memory_bytes', 'Resident memory of the supervisor.', ({ rss_bytes }) => rss_bytes],
  [
    'sup_supervisor_start_time_seconds',
    'When the supervisor began, in seconds since the epoch.',
    ({ since }) => Date.parse(since) / 1_000,
  ],
  [
    'sup_supervisor_loop_delay_seconds',
    'How late the last sampling was.',
    ({ loop_delay_ms }) => thousandth(loop_delay_ms),
  ],
  [
    'sup_supervisor_loop_delay_max_seconds',
    'The latest of the last sixty samplings.',
    ({ loop_delay_max_ms }) => thousandth(loop_delay_max_ms),
  ],
  ['sup_supervisor_samples_bytes', 'Memory set aside for samples.', ({ samples_bytes }) => samples_bytes],
];

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, amount: Amount];

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

const labelText = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
};

/** Returns the lines of a metric: help, type, and one line for each known value. */
const linesOf = (
  type: 'gauge' | 'counter',
  [name, help]: readonly [string, string, ...unknown[]],
  samples: readonly Sample[],
): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...samples
    .filter(([, amount]) => amount !== null)
    .map(([labels, amount]) => `${name}${type === 'counter' ? '_total' : ''}${labelText(labels)} ${amount}`),
];

const linesOfServices = (services: readonly MeasuredService[]): readonly string[] => {
  const samples = (amountOf: (service: MeasuredService) => Amount): readonly Sample[] =>
    services.map((each) => [{ project: each.project, service: each.service }, amountOf(each)]);
  const states = services.flatMap(({ project, service, state }): readonly Sample[] =>
    STATE_WORDS.map((word) => [{ project, service, state: word }, Number(word === state)]),
  );
  return [
    ...SERVICE_GAUGES.flatMap((gauge) => linesOf('gauge', gauge, samples(gauge[2]))),
    ...linesOf('gauge', ['sup_service_state', 'The state of the service: 1 for the one it is in.'], states),
    ...linesOf(
      'counter',
      ['sup_service_restarts', 'Automatic starts since the service is known.'],
      samples(({ restarts_total: restarts }) => restarts),
    ),
  ];
};

const linesOfSupervisor = (own: Supervisor): readonly string[] => [
  ...OWN_GAUGES.flatMap((gauge) => {
    const amount = gauge[2](own);
    return amount === null ? [] : linesOf('gauge', gauge, [[{}, amount]]);
  }),
  ...linesOf(
    'counter',
    ['sup_supervisor_cpu_seconds', 'Processor time of the supervisor itself.'],
    [[{}, own.cpu_seconds]],
  ),
  ...linesOf(
    'gauge',
    ['sup_supervisor_info', 'Version of the supervisor; always 1.'],
    [[{ version: own.version }, 1]],
  ),
];

/** Returns the document as OpenMetrics text, which ends with `# EOF`. */
export const openMetrics = ({ supervisor, services }: MetricsDocument): string =>
  [...linesOfSupervisor(supervisor), ...linesOfServices(services), '# EOF', ''].join('\n');
