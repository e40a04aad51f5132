// `sup logs --prune`: removes rotated files that are too old, then the oldest until the rest is within the
// limit. Current files are never touched, so no output of a running service is lost.
import { readdir, rm, stat } from 'node:fs/promises';
import { isMissing } from '../../../os/errno.ts';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import { layoutOf } from '../../../streams/wire/layout.ts';
import { pruned, type LogFile, type PruneLimits } from './pruned.ts';

const sizes = async (directory: string, isOurs: (name: string) => boolean): Promise<readonly LogFile[]> => {
  const files: LogFile[] = [];
  for (const name of (await readdir(directory)).filter(isOurs)) {
    const path = `${directory}/${name}`;
    const { size, mtimeMs } = await stat(path);
    files.push({ path, bytes: size, at: mtimeMs, rotated: /\.log\.\d+$/.test(name) });
  }
  return files;
};

export const logFilesOf = async (dataDir: string, service: ServiceId): Promise<readonly LogFile[]> => {
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

/** Removes files over the limits, and returns them. */
export const pruneLogs = async (
  dataDir: string,
  services: readonly ServiceId[],
  limits: PruneLimits,
): Promise<readonly LogFile[]> => {
  const files = (await Promise.all(services.map((service) => logFilesOf(dataDir, service)))).flat();
  const gone = pruned(files, limits, Date.now());
  for (const { path } of gone) await rm(path, { force: true });
  return gone;
};
