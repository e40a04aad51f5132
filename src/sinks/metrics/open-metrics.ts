// Renders the metrics document as OpenMetrics text (`docs/metrics.md`, "For monitoring systems").
import { Counter, Gauge, Registry, type OpenMetricsContentType } from 'prom-client';
import {
  STATE_WORDS,
  type MeasuredService,
  type MetricsDocument,
} from '../../streams/wire/documents/documents.ts';

export const CONTENT_TYPE = Registry.OPENMETRICS_CONTENT_TYPE;

type Supervisor = MetricsDocument['supervisor'];

/** `null`: unknown, and omitted. */
type Amount = number | null;

const SERVICE_LABELS = ['project', 'service'];

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

type Book = Registry<OpenMetricsContentType>;

const servicesInto = (registers: Book[], services: readonly MeasuredService[]): void => {
  for (const [name, help, amountOf] of SERVICE_GAUGES) {
    const gauge = new Gauge({ name, help, labelNames: SERVICE_LABELS, registers });
    for (const each of services) {
      const amount = amountOf(each);
      if (amount !== null) gauge.set({ project: each.project, service: each.service }, amount);
    }
  }
  const state = new Gauge({
    name: 'sup_service_state',
    help: 'The state of the service: 1 for the one it is in.',
    labelNames: [...SERVICE_LABELS, 'state'],
    registers,
  });
  const restarts = new Counter({
    name: 'sup_service_restarts',
    help: 'Automatic starts since the service is known.',
    labelNames: SERVICE_LABELS,
    registers,
  });
  for (const { project, service, state: present, restarts_total } of services) {
    for (const word of STATE_WORDS) state.set({ project, service, state: word }, Number(word === present));
    restarts.inc({ project, service }, restarts_total);
  }
};

const supervisorInto = (registers: Book[], own: Supervisor): void => {
  for (const [name, help, amountOf] of OWN_GAUGES) {
    const amount = amountOf(own);
    if (amount !== null) new Gauge({ name, help, registers }).set(amount);
  }
  new Counter({
    name: 'sup_supervisor_cpu_seconds',
    help: 'Processor time of the supervisor itself.',
    registers,
  }).inc(own.cpu_seconds);
  new Gauge({
    name: 'sup_supervisor_info',
    help: 'Version of the supervisor; always 1.',
    labelNames: ['version'],
    registers,
  }).set({ version: own.version }, 1);
};

/** The OpenMetrics text; ends with `# EOF`. */
export const openMetrics = async ({ supervisor, services }: MetricsDocument): Promise<string> => {
  const register = new Registry<OpenMetricsContentType>();
  register.setContentType(CONTENT_TYPE);
  supervisorInto([register], supervisor);
  servicesInto([register], services);
  return register.metrics();
};
