// What services and the supervisor use: the samples of a time window, and the present usage where nothing
// was sampled. The command itself reads the spilled files and asks the kernel, so that the supervisor is
// never blocked.
import type { UsageNow } from '../sources/metrics/usage-now.ts';
import { projectId, serviceId } from '../streams/domain/ids.ts';
import { instant, type Instant, type Ms } from '../streams/domain/time.ts';
import { joinBuckets } from '../streams/metrics/bucket.ts';
import type {
  InspectDocument,
  InspectedService,
  MetricsDocument,
} from '../streams/wire/documents/documents.ts';
import type { SamplesAnswer } from '../streams/wire/protocol.ts';
import { type SpilledSamples, readSpilled } from '../sources/metrics/spilled-samples.ts';
import { samplesDocument } from '../streams/views/samples-document.ts';

const NONE: SpilledSamples = { of: new Map(), warnings: [] };

/** Reads older samples only if memory does not reach back to the beginning. */
const olderOnes = async ({ spillover, services }: SamplesAnswer, since: number): Promise<SpilledSamples> => {
  const short = services.filter(({ points }) => (points[0]?.from ?? Infinity) > since);
  if (spillover === null || short.length === 0) return NONE;
  return readSpilled(spillover, instant(since), new Set(short.map(({ id }) => id)));
};

interface WindowQuery {
  readonly length: Ms;
  /** Returns what is in memory, and where older samples are. */
  readonly ask: (since: Instant) => Promise<SamplesAnswer>;
}

/** Returns the document with samples, and warnings about samples that could not be read. */
export const withSamples = async (
  document: InspectDocument,
  { length, ask }: WindowQuery,
): Promise<{ readonly sampled: InspectDocument; readonly warnings: readonly string[] }> => {
  const since = instant(Date.now() - length);
  const answer = await ask(since);
  const older = await olderOnes(answer, since);
  const newer = new Map(answer.services.map(({ id, points }) => [id, points]));
  const services = document.services.map((service) => {
    const id = serviceId(projectId(service.project), service.name);
    const buckets = joinBuckets(older.of.get(id) ?? [], newer.get(id) ?? []);
    return { ...service, samples: samplesDocument(buckets, { since, until: answer.now }) };
  });
  return { sampled: { ...document, services }, warnings: older.warnings };
};

/** Loads the module on demand, and keeps it from complaining where there is no `getconf`. */
const asking = (): Promise<typeof import('../sources/metrics/usage-now.ts')> => {
  process.env['PIDUSAGE_SILENT'] = '1';
  return import('../sources/metrics/usage-now.ts');
};

const unsampled = ({ pid, cpu_percent: cpu, rss_bytes: memory }: InspectedService): readonly number[] =>
  pid !== null && (cpu === null || memory === null) ? [pid] : [];

/** Adds the present usage to each running service without a sample: sampling may be off or too late. */
export const withUsage = async (document: InspectDocument): Promise<InspectDocument> => {
  const pids = document.services.flatMap(unsampled);
  if (pids.length === 0) return document;
  const found = await (await asking()).usageOfTrees(pids);
  const services = document.services.map((service) => {
    const [usage] = unsampled(service).flatMap((pid) => found.get(pid) ?? []);
    return usage === undefined
      ? service
      : { ...service, cpu_percent: usage.cpuPercent, rss_bytes: usage.rssBytes };
  });
  return { ...document, services };
};

/** Returns the supervisor's usage since it began, or `undefined` if it is gone. */
export const supervisorUsage = async (pid: number): Promise<UsageNow | undefined> =>
  (await asking()).usageSinceStart(pid);

/** Adds the share of a core that the supervisor has used since it began. */
export const withOwnUsage = async (document: MetricsDocument): Promise<MetricsDocument> => {
  const usage = await supervisorUsage(document.supervisor.pid);
  return {
    ...document,
    supervisor: { ...document.supervisor, cpu_percent: usage?.cpuPercent ?? null },
  };
};
