// `sup logs --prune`: rotated files that are too old, then the oldest ones until the rest takes no more than it may. The
// file that is being written to is never touched: what a service prints is never lost to this.
import { readdir, rm, stat } from 'node:fs/promises';
import { isMissing } from '../../os/errno.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import { layoutOf } from '../../streams/wire/layout.ts';

export interface PruneLimits {
  /** Milliseconds. */
  readonly maxAge?: number;
  /** Of all files together, those that are written to included. */
  readonly maxBytes?: number;
}

export interface LogFile {
  readonly path: string;
  readonly bytes: number;
  /** When it was written to last. */
  readonly at: number;
  readonly rotated: boolean;
}

const sizes = async (directory: string, isOurs: (name: string) => boolean): Promise<readonly LogFile[]> => {
  const files: LogFile[] = [];
  for (const name of (await readdir(directory)).filter(isOurs)) {
    const path = `${directory}/${name}`;
    const { size, mtimeMs } = await stat(path);
    files.push({ path, bytes: size, at: mtimeMs, rotated: /\.log\.\d+$/.test(name) });
  }
  return files;
};

const filesOf = async (dataDir: string, service: ServiceId): Promise<readonly LogFile[]> => {
  const active = layoutOf(dataDir).log(service);
  const slash = active.lastIndexOf('/');
  const own = active.slice(slash + 1);
  try {
    return await sizes(
      active.slice(0, slash),
      (name) => name === own || (name.startsWith(`${own}.`) && /^\d+$/.test(name.slice(own.length + 1))),
    );
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** Which of these files go, oldest first. */
export const pruned = (
  files: readonly LogFile[],
  { maxAge = Infinity, maxBytes = Infinity }: PruneLimits,
  now: number,
): readonly LogFile[] => {
  const rotated = files.filter((file) => file.rotated).toSorted((a, b) => a.at - b.at);
  let left = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return rotated.filter(({ at, bytes }) => {
    const goes = now - at > maxAge || left > maxBytes;
    if (goes) left -= bytes;
    return goes;
  });
};

/** Removes what these services have too much of, and says what that was. */
export const pruneLogs = async (
  dataDir: string,
  services: readonly ServiceId[],
  limits: PruneLimits,
): Promise<readonly LogFile[]> => {
  const files = (await Promise.all(services.map((service) => filesOf(dataDir, service)))).flat();
  const gone = pruned(files, limits, Date.now());
  for (const { path } of gone) await rm(path, { force: true });
  return gone;
};
