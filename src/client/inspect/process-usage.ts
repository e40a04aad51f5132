// CPU and memory use of services and the supervisor. The process of the command reads sample files and
// `/proc` itself, so that the supervisor is not blocked.
import type { Inspector } from './inspector.ts';
import type { UsageNow } from '../../sources/metrics/usage-now.ts';
import type { Selection } from '../../streams/domain/command.ts';
import { projectId, serviceId } from '../../streams/domain/ids.ts';
import { instant, type Instant, type Ms } from '../../streams/domain/time.ts';
import { joinBuckets } from '../../streams/metrics/bucket.ts';
import type { InspectDocument, InspectedService } from '../../streams/wire/documents/documents.ts';
import type { MetricsDocument } from '../../streams/wire/documents/metrics-documents.ts';
import type { SamplesAnswer } from '../../streams/wire/protocol.ts';
import { type SpilledSamples, readSpilled } from '../../sources/metrics/spilled-samples.ts';
import { samplesDocument } from '../../streams/views/samples-document.ts';

const NONE: SpilledSamples = { of: new Map(), warnings: [] };

/**
 * Resolves to samples from disk for each service with samples in memory that do not reach back to `since`.
 */
const olderOnes = async ({ spillover, services }: SamplesAnswer, since: number): Promise<SpilledSamples> => {
  const short = services.filter(({ points }) => (points[0]?.from ?? Infinity) > since);
  if (spillover === null || short.length === 0) return NONE;
  return readSpilled(spillover, instant(since), new Set(short.map(({ id }) => id)));
};

interface WindowQuery {
  readonly length: Ms;
  /**
   * Requests from the supervisor the samples in its memory, and the path of the directory with older samples.
   */
  readonly ask: (since: Instant) => Promise<SamplesAnswer>;
}

interface Sampled {
  readonly sampled: InspectDocument;
  readonly warnings: readonly string[];
}

/** Resolves to the document with samples, and to warnings about samples that could not be read. */
const withSamples = async (document: InspectDocument, { length, ask }: WindowQuery): Promise<Sampled> => {
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

/**
 * Loads the module on demand. The environment variable `PIDUSAGE_SILENT` prevents a warning of the library
 * `pidusage` on systems without `getconf`.
 */
const asking = (): Promise<typeof import('../../sources/metrics/usage-now.ts')> => {
  process.env['PIDUSAGE_SILENT'] = '1';
  return import('../../sources/metrics/usage-now.ts');
};

const unsampled = ({ pid, cpu_percent: cpu, rss_bytes: memory }: InspectedService): readonly number[] =>
  pid !== null && (cpu === null || memory === null) ? [pid] : [];

/** Adds the current use to each running service that has no sample, for example because sampling is off. */
const withUsage = async (document: InspectDocument): Promise<InspectDocument> => {
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

/**
 * Resolves to the document of `sup inspect`, with samples if a window is given. `warnings` are about samples
 * that could not be read.
 */
export const inspected = async (
  { inspect, samples }: Inspector,
  selection: Selection,
  window: Ms | undefined,
): Promise<Sampled> => {
  const document = await withUsage(await inspect(selection));
  if (window === undefined) return { sampled: document, warnings: [] };
  return withSamples(document, { length: window, ask: (since) => samples(selection, document, since) });
};

/** Resolves to the supervisor's memory and its CPU use since its start; `undefined` if it has exited. */
export const supervisorUsage = async (pid: number): Promise<UsageNow | undefined> =>
  (await asking()).usageSinceStart(pid);

/** Returns a copy of the document to which the supervisor's average CPU use since its start is added. */
export const withOwnUsage = async (document: MetricsDocument): Promise<MetricsDocument> => {
  const usage = await supervisorUsage(document.supervisor.pid);
  return {
    ...document,
    supervisor: { ...document.supervisor, cpu_percent: usage?.cpuPercent ?? null },
  };
};
