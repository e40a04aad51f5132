// Lists everything that sup has for this user: the data directory, running services, and the boot entry.
import { readdirSync } from 'node:fs';
import { leftoversIn, type RegisteredNames } from '../../../sinks/store/unregistered-files.ts';
import type { Found } from '../../../streams/domain/event.ts';
import { layoutOf } from '../../../streams/wire/layout.ts';
import type { Leftover } from '../../../streams/wire/protocol.ts';
import { isMissing } from '../../../os/errno.ts';
import type { InitSystem } from '../boot/init-system.ts';
import { standing } from '../boot/boot-report.ts';
import { initSystemFor } from '../boot/find-init-system.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import type { Context } from '../../context.ts';
import { cgroupsLeft, livingLeft } from './leftover-runs.ts';
import { bytesOf } from './purge-report.ts';

export const NOTHING_REGISTERED: RegisteredNames = { projects: new Set(), services: new Set() };

export interface Everything {
  /** Names of the files and directories that sup created in the data directory. */
  readonly own: readonly string[];
  /** Names of the other files and directories in the data directory. */
  readonly strange: readonly string[];
  readonly bytes: number;
  readonly projects: readonly string[];
  readonly cgroups: readonly Leftover[];
  readonly living: readonly Found[];
  readonly supervisor: number | undefined;
  readonly boot: InitSystem | undefined;
}

const OWN_NAMES: readonly string[] = Object.values(layoutOf(''))
  .filter((path): path is string => typeof path === 'string')
  .flatMap((path) => path.split('/').slice(1, 2));

/** True for names that sup uses in the data directory. Suffixes mark files being written, moved or locked. */
const isOwn = (name: string): boolean =>
  OWN_NAMES.some((own) => name === own || name.startsWith(`${own}.`)) || /^c\.\d+$/.test(name);

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** True if the boot entry belongs to sup and starts the supervisor of this data directory. */
const isOwnEntry = (init: InitSystem, { dataDir }: Context): boolean => {
  const { ours, current, enabled } = standing(init, []);
  if (init.packaged) return enabled;
  const words = init.read()?.split(/["'\s]/) ?? [];
  return ours && (current || words.includes(`SUP_DATA_DIR=${dataDir}`));
};

/** Returns the boot entry of sup; `undefined` if there is none, or if it is for another data directory. */
const bootEntry = (context: Context): InitSystem | undefined => {
  try {
    const init = initSystemFor(context, undefined);
    return isOwnEntry(init, context) ? init : undefined;
  } catch {
    return undefined;
  }
};

const supervisorPid = async (dataDir: string): Promise<number | undefined> => {
  const client = await connectIfRunning(dataDir);
  client?.close();
  return client?.hello.pid;
};

/**
 * Resolves to everything that sup has for this user. Rejects with ERR0205 if a supervisor does not answer.
 */
export const everythingOf = async (context: Context): Promise<Everything> => {
  const { dataDir, layout, sys } = context;
  const query = { kinds: ['logs', 'state'] } as const;
  const [names, supervisor] = [namesIn(dataDir), await supervisorPid(dataDir)];
  const own = names.filter(isOwn);
  return {
    ...{ own, supervisor },
    strange: names.filter((name) => !isOwn(name)),
    bytes: own.reduce((sum, name) => sum + bytesOf(`${dataDir}/${name}`), 0),
    projects: [
      ...new Set(leftoversIn(layout, NOTHING_REGISTERED, query).map(({ project }) => project)),
    ].sort(),
    cgroups: sys ? cgroupsLeft(NOTHING_REGISTERED, query) : [],
    living: await livingLeft(dataDir, NOTHING_REGISTERED, undefined),
    boot: bootEntry(context),
  };
};
