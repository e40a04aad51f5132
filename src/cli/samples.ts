// The samples of a window of time: the newer ones from the supervisor's memory, the older ones from disk, where they are
// spilled. Files are read here and not by the supervisor: a question never holds it up.
import { readSpilled, type SpilledSamples } from '../sources/metrics/spilled.ts';
import type { Selection } from '../streams/domain/command.ts';
import { projectId, serviceId } from '../streams/domain/ids.ts';
import { instant, ms, type Ms } from '../streams/domain/time.ts';
import { joinBuckets } from '../streams/metrics/window.ts';
import { samplesDocument } from '../streams/views/samples.ts';
import type { InspectDocument } from '../streams/wire/documents.ts';
import type { SamplesAnswer } from '../streams/wire/protocol.ts';
import type { Client } from './client/client.ts';
import { usageError } from './grammar/check.ts';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1e3, m: 60e3, h: 3_600e3, d: 86_400e3 };
const WRITTEN = /^(\d{1,6})(s|m|h|d)$/;

/** Throws a usage error for what is no length of time. */
export const windowLength = (written: string): Ms => {
  const [, amount, unit = ''] = WRITTEN.exec(written) ?? [];
  const length = Number(amount ?? 0) * (UNIT_MS[unit] ?? 0);
  if (length === 0) throw usageError(`--window: "${written}" is not a length of time`, '--window 15m');
  return ms(length);
};

const NONE: SpilledSamples = { of: new Map(), warnings: [] };

/** Only where memory does not reach back to the beginning. */
const olderOnes = async ({ spillover, services }: SamplesAnswer, since: number): Promise<SpilledSamples> => {
  const short = services.filter(({ points }) => (points[0]?.from ?? Infinity) > since);
  if (spillover === null || short.length === 0) return NONE;
  return readSpilled(spillover, instant(since), new Set(short.map(({ id }) => id)));
};

interface WindowQuery {
  readonly selection: Selection;
  readonly length: Ms;
}

/** The document with samples, and what could not be read of them. */
export const withSamples = async (
  client: Client,
  document: InspectDocument,
  { selection, length }: WindowQuery,
): Promise<{ readonly sampled: InspectDocument; readonly warnings: readonly string[] }> => {
  const since = instant(Date.now() - length);
  const answer = await client.call('samples', { selection, since });
  const older = await olderOnes(answer, since);
  const newer = new Map(answer.services.map(({ id, points }) => [id, points]));
  const services = document.services.map((service) => {
    const id = serviceId(projectId(service.project), service.name);
    const buckets = joinBuckets(older.of.get(id) ?? [], newer.get(id) ?? []);
    return { ...service, samples: samplesDocument(buckets, { since, until: answer.now }) };
  });
  return { sampled: { ...document, services }, warnings: older.warnings };
};
