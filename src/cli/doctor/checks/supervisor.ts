// Lock, socket, and whether somebody answers at it.
import { statOf, statOfProcess } from '../../../os/proc/proc-stat.ts';
import { lockHolder } from '../../../sources/store/lock.ts';
import { judgePresence, type Presence } from '../../../streams/doctor/supervisor.ts';
import { ClientFailure } from '../../client/client-failure.ts';
import { connectIfRunning } from '../../client/ensure-supervisor.ts';
import type { Context } from '../../context.ts';
import { readRecorded } from '../../offline/recorded.ts';
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

const running = (context: Context): number =>
  readRecorded(context).services.filter(
    ({ actual }) => 'process' in actual && statOfProcess(actual.process) !== undefined,
  ).length;

export const supervisor: Check = {
  name: 'supervisor',
  look: async (context) => {
    const found = { presence: await presence(context), running: running(context) };
    return [judgePresence({ ...found, ownVersion: context.world.version })];
  },
};
