// Reads samples that were written to disk ("spilled"). Files and lines that cannot be read are skipped, with
// a warning.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIfThere } from '../../os/files/directories.ts';
import { isMissing } from '../../os/errno.ts';
import { notOurs, READ_OWN } from '../../os/files/own-file.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { Instant } from '../../streams/domain/time.ts';
import type { Bucket } from '../../streams/metrics/bucket.ts';
import { segmentsSince } from '../../streams/metrics/sample-files.ts';
import { readSpilledLine } from '../../streams/metrics/spilling.ts';

export interface SpilledSamples {
  /** The samples read from disk: for each service, oldest first. */
  readonly of: ReadonlyMap<ServiceId, readonly Bucket[]>;
  readonly warnings: readonly string[];
}

/** Reads a file of samples. Throws if it was written by another user than this one or root. */
const textOf = async (file: string): Promise<string> => {
  const handle = await open(file, READ_OWN);
  try {
    const trouble = notOurs(await handle.stat());
    if (trouble !== undefined) throw new Error(`${file} is not read: ${trouble}`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
};

/** Reads from disk the samples of the given services that end at `since` or later. */
export const readSpilled = async (
  directory: string,
  since: Instant,
  services: ReadonlySet<ServiceId>,
): Promise<SpilledSamples> => {
  const found = new Map<ServiceId, Bucket[]>();
  const warnings: string[] = [];
  const take = (line: string): boolean => {
    const spilled = readSpilledLine(line);
    if (spilled === undefined) return false;
    const [service, bucket] = spilled;
    if (!services.has(service) || bucket.to < since) return true;
    const present = found.get(service);
    if (present === undefined) found.set(service, [bucket]);
    else present.push(bucket);
    return true;
  };
  const readSegment = async (file: string): Promise<void> => {
    // A last line without a newline is being written, or was cut off by a kill.
    const lines = (await textOf(file)).split('\n').slice(0, -1);
    const broken = lines.filter((line) => !take(line)).length;
    if (broken > 0) warnings.push(`${file}: ${broken} of ${lines.length} lines are not samples`);
  };
  try {
    for (const name of segmentsSince(await namesIfThere(directory), since))
      await readSegment(join(directory, name)).catch((error: unknown) => {
        if (!isMissing(error)) warnings.push(messageOf(error));
      });
  } catch (error) {
    warnings.push(`no samples from ${directory}: ${messageOf(error)}`);
  }
  for (const buckets of found.values()) buckets.sort((a, b) => a.from - b.from);
  return { of: found, warnings };
};
