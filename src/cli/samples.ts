// The samples of a time window: newer ones from the supervisor's memory, older ones from disk if they are
// spilled. The command reads the files, so that the supervisor is never blocked.
import { readSpilled, type SpilledSamples } from '../sources/metrics/spilled-samples.ts';
import { projectId, serviceId } from '../streams/domain/ids.ts';
import { instant, type Instant, type Ms } from '../streams/domain/time.ts';
import { joinBuckets } from '../streams/metrics/window.ts';
import { samplesDocument } from '../streams/views/samples-document.ts';
import type { InspectDocument } from '../streams/wire/documents/documents.ts';
import type { SamplesAnswer } from '../streams/wire/protocol.ts';

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
