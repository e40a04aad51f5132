// Writes samples (measured values over time) to disk, within a size limit. On a full disk samples are lost,
// with one warning.
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreElements, tap, type Observable } from 'rxjs';
import { appendWhole } from '../../os/files/own-file.ts';
import { makeSafeDirectory } from '../../os/files/trusted-directories.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { type DiskPlace, isSegment, planWrite, type Segment } from '../../streams/metrics/sample-files.ts';
import { spilledLine, type Spilled } from '../../streams/metrics/spilling.ts';

interface SpillPorts {
  /** Returns the directory for samples and its limits, if they are kept on disk. */
  readonly place: () => DiskPlace | undefined;
  readonly logError: (text: string) => void;
}

const segmentsIn = async (directory: string): Promise<readonly Segment[]> => {
  const names = (await readdir(directory)).filter(isSegment);
  return Promise.all(names.map(async (name) => ({ name, bytes: (await lstat(join(directory, name))).size })));
};

const write = async ({ directory, ...limits }: DiskPlace, due: readonly Spilled[]): Promise<void> => {
  const text = due.map(spilledLine).join('');
  await makeSafeDirectory(join(directory, 'segment'));
  const incoming = { bytes: Buffer.byteLength(text), now: Date.now() };
  const { into, remove } = planWrite(await segmentsIn(directory), incoming, limits);
  for (const name of remove) await rm(join(directory, name), { force: true });
  if (into === undefined) throw new Error(`ten seconds of samples are more than ${limits.maxBytes} bytes`);
  await appendWhole(join(directory, into), text);
};

interface Spill {
  /** Writes batches of samples while subscribed. Never fails, never emits. */
  readonly run$: Observable<never>;
  /** Resolves when every batch received so far is written or its write has failed. */
  readonly flush: () => Promise<void>;
}

export const spill = (due$: Observable<readonly Spilled[]>, { place, logError }: SpillPorts): Spill => {
  let isTold = false;
  let written = Promise.resolve();
  const attempt = async (due: readonly Spilled[]): Promise<void> => {
    const to = place();
    if (to === undefined) return;
    try {
      await write(to, due);
      isTold = false;
    } catch (error) {
      if (!isTold) logError(`samples are not kept in ${to.directory}: ${messageOf(error)}`);
      isTold = true;
    }
  };
  const run$ = due$.pipe(
    tap((due) => void (written = written.then(() => attempt(due)))),
    ignoreElements(),
  );
  return { run$, flush: () => written };
};
