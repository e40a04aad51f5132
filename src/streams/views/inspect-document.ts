// The document of `sup inspect --json`.
import type { Selection } from '../domain/command.ts';
import { groupOf, nameOf, type ServiceId } from '../domain/ids.ts';
import type { CronRun, Service } from '../domain/service/service.ts';
import { isAwaited, probeWords, type Check, type HealthCheck } from '../domain/declared/health-check.ts';
import type { Launch, ServiceSpec } from '../domain/declared/spec.ts';
import { isRequired } from '../graph/graph.ts';
import { isSelected } from '../selection/match.ts';
import type {
  CronRunDocument,
  InspectDocument,
  InspectedService,
  ProcessDocument,
} from '../wire/documents/documents.ts';
import { layoutOf } from '../wire/layout.ts';
import { declaredKeys } from './declared-keys.ts';
import { undeliveredDocument } from './events/alert-events.ts';
import { spawnDocument } from './children-document.ts';
import { historyDocument } from './history-document.ts';
import { rolloutRecordDocument } from './rollout-document.ts';
import { exitDocument, serviceDocument } from './service-document.ts';
import type { NamedProcess, Snapshot } from './state-snapshot.ts';
import { maskedText, maskedWords } from './words/masked-text.ts';
import { timeText, timeTextOrNull } from './words/time-text.ts';

type Looked = Pick<InspectedService, 'listening' | 'processes'>;
type ReadAs = Pick<InspectedService, 'profiles' | 'chosen_profiles' | 'manifest_files'>;
type InspectInput = Omit<Snapshot, 'projects' | 'select'> & { readonly selection?: Selection };

/** Returns the document of `sup inspect --json`: status, declaration and history of the selected services. */
export const inspectDocument = (input: InspectInput): InspectDocument => {
  const readAs = readAsIn(input);
  return {
    schema: 'sup.inspect/1',
    supervisor: input.supervisor,
    services: input.services
      .filter(({ spec }) => isSelected(spec, input.selection ?? {}))
      .map((service) => inspected(service, input, readAs)),
  };
};

/** Returns a function that says how the manifest of a service was read: with which files and profiles. */
const readAsIn = ({ profiles = {}, readings = {} }: InspectInput): ((spec: ServiceSpec) => ReadAs) => {
  const byService = new Map(Object.values(profiles).flatMap((all) => all.map((one) => [one.service, one])));
  return ({ id, manifest }) => {
    const own = byService.get(groupOf(id));
    const { files = [], profiles: chosen = [] } = readings[manifest] ?? {};
    return {
      ...(own && { profiles: own.profiles }),
      ...(chosen.length > 0 && { chosen_profiles: chosen }),
      ...(files.length > 0 && { manifest_files: [manifest, ...files] }),
    };
  };
};

const inspected = (
  service: Service,
  input: InspectInput,
  readAs: (spec: ServiceSpec) => ReadAs,
): InspectedService => {
  const { spec, schedule } = service;
  const check = spec.deployment.healthCheck;
  return {
    ...serviceDocument(service, input),
    project: spec.project,
    ...readAs(spec),
    command: commandOf(spec.launch),
    working_dir: spec.workingDir,
    depends_on: spec.dependsOn.map((need) => ({
      service: nameOf(need.service),
      condition: need.condition,
      required: isRequired(need),
    })),
    dependents: dependentsOf(spec, input.services),
    env_keys: Object.keys({ ...spec.env.vars, ...spec.env.secrets }).sort(),
    logs: logsOf(spec, input),
    health_check: check === undefined ? null : healthCheckDocument(check),
    hooks: Object.keys(spec.hooks).sort(),
    ...declaredIn(spec),
    history: historyDocument(service),
    rollouts: (service.rollouts ?? []).map(rolloutRecordDocument),
    cron_runs: schedule.runs.toSorted((one, other) => one.due - other.due).map(cronRunDocument),
    skipped_isolation: (service.skipped ?? []).map(({ key, detail }) => `${key}: ${detail}`),
    spawn: spawnDocument(service, input.now),
    ...undeliveredAlerts(spec.id, input),
    ...lookedAt(spec.id, input),
    samples: null,
  };
};

const declaredIn = (spec: ServiceSpec): Pick<InspectedService, 'declared'> => {
  const declared = declaredKeys(spec);
  return Object.keys(declared).length === 0 ? {} : { declared };
};

const undeliveredAlerts = (
  id: ServiceId,
  { incidents = [] }: InspectInput,
): Pick<InspectedService, 'undelivered_alerts'> => {
  const lost = incidents.filter(({ service }) => service === id).flatMap(undeliveredDocument);
  return lost.length === 0 ? {} : { undelivered_alerts: lost };
};

const lookedAt = (id: ServiceId, { processes, listening }: InspectInput): Looked => ({
  listening: listening?.(id) ?? null,
  processes: processes?.(id)?.map(processDocument) ?? null,
});

const processDocument = ({ pid, parent, name, command, own, rssBytes }: NamedProcess): ProcessDocument => ({
  pid,
  ppid: parent,
  name: name ?? null,
  command: command === undefined ? null : maskedWords(command),
  cpu_ms: own,
  rss_bytes: rssBytes,
});

const commandOf = (launch: Launch): string | readonly string[] =>
  launch.tag === 'shell' ? maskedText(launch.command) : maskedWords(launch.argv);

const dependentsOf = ({ id }: ServiceSpec, services: readonly Service[]): readonly string[] => {
  const declared = groupOf(id);
  return services
    .filter(({ spec }) => spec.dependsOn.some(({ service }) => service === id || service === declared))
    .map(({ spec }) => spec.name);
};

const logsOf = (
  { id, logs }: ServiceSpec,
  { settings, dataDir }: InspectInput,
): InspectedService['logs'] => ({
  sink: logs.sink,
  file: logs.sink === 'file' ? layoutOf(dataDir).log(id) : null,
  max_bytes: logs.maxBytes ?? settings.logs.maxBytes,
  max_files: logs.maxFiles ?? settings.logs.maxFiles,
});

const healthCheckDocument = (check: HealthCheck): Readonly<Record<string, string | number>> => ({
  ...Object.fromEntries(
    Object.entries(probeWords(check.probe)).map(([key, text]) => [key, maskedText(text)]),
  ),
  ...(isAwaited(check) ? { total_timeout_ms: check.totalTimeout } : timesDocument(check)),
  ...(check.onFailure && { on_failure: check.onFailure }),
  ...(check.liveness && livenessDocument(check.liveness)),
});

const askedDocument = (check: Check): Readonly<Record<string, string | number>> => ({
  ...probeWords(check.probe),
  interval_ms: check.interval,
  attempt_timeout_ms: check.attemptTimeout,
  retries: check.retries,
});

/** Returns the keys about the check in `liveness`. They begin with `liveness_`. */
const livenessDocument = (check: Check): Readonly<Record<string, string | number>> =>
  Object.fromEntries(
    Object.entries({
      ...(check.probe.tag === 'watchdog' ? { watchdog_ms: check.probe.watchdog } : askedDocument(check)),
      on_failure: check.onFailure ?? 'restart',
    }).map(([key, value]) => [`liveness_${key}`, typeof value === 'string' ? maskedText(value) : value]),
  );

const timesDocument = (times: HealthCheck): Readonly<Record<string, string | number>> => ({
  interval_ms: times.interval,
  start_interval_ms: times.startInterval,
  start_interval_max_ms: times.startIntervalMax ?? times.interval,
  after_ready_ms: times.afterReady ?? (times.liveness === undefined ? times.interval : 'off'),
  attempt_timeout_ms: times.attemptTimeout,
  total_timeout_ms: times.totalTimeout,
  retries: times.retries,
});

const cronRunDocument = (run: CronRun): CronRunDocument => ({
  due_at: timeText(run.due),
  result: run.result,
  started_at: timeTextOrNull(run.startedAt),
  ended_at: timeTextOrNull(run.endedAt),
  exit: run.exit === undefined ? null : exitDocument(run.exit, run.exitedAt ?? run.endedAt ?? run.due),
  peak_memory_bytes: run.peakMemoryBytes ?? null,
  ...(run.by !== undefined && { by: run.by }),
});
