// The lock, and whether the supervisor answers at its socket.
import { textIfThere } from '../../../../os/files/own-file.ts';
import { statOf } from '../../../../os/proc/process-stat.ts';
import { guardianOf } from '../../../../sources/process/guardian.ts';
import { knownServices } from '../../../../sources/process/known-services.ts';
import { livingRuns } from '../../../../sources/process/living-runs.ts';
import { lockHolder } from '../../../../sources/store/lock.ts';
import { judgePresence, type Presence } from '../../../../streams/doctor/supervisor.ts';
import { ClientFailure } from '../../../client/client-failure.ts';
import { connectIfRunning } from '../../../client/ensure-supervisor.ts';
import type { Context } from '../../../context.ts';
import { readRecorded } from '../../../offline/recorded.ts';
import type { Check } from '../check.ts';

const presence = async ({ dataDir }: Context): Promise<Presence> => {
  try {
    const client = await connectIfRunning(dataDir);
    client?.close();
    if (client !== undefined) {
      const { hello } = client;
      return { tag: 'answers', ...hello, parent: statOf(hello.pid)?.parent };
    }
    const holder = lockHolder(dataDir);
    return holder === undefined ? { tag: 'none' } : { tag: 'unreachable', pid: holder };
  } catch (thrown) {
    if (thrown instanceof ClientFailure) return { tag: 'silent', says: thrown.document.message };
    throw thrown;
  }
};

/** Number of running services, also by mark: a damaged record says nothing about what runs. */
const running = async (context: Context): Promise<number> => {
  const known = await knownServices(readRecorded(context).services);
  const found = await livingRuns(context.dataDir, known);
  return new Set(found.map(({ service }) => service)).size;
};

/** First line of the report that the last supervisor wrote when it crashed. */
const brokeIn = ({ layout }: Context): string | undefined => {
  const text = textIfThere(layout.broke);
  return typeof text === 'string' ? text.split('\n', 1)[0] : undefined;
};

export const supervisor: Check = {
  name: 'supervisor',
  look: async (context) => {
    const found = { presence: await presence(context), running: await running(context) };
    const trouble = { broke: brokeIn(context), retrying: guardianOf(context.dataDir)?.pid };
    return [judgePresence({ ...found, ...trouble, ownVersion: context.world.version })];
  },
};
