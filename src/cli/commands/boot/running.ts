// Who runs the supervisor at the moment.
import { connectIfRunning } from '../../client/ensure-supervisor.ts';
import type { Context } from '../../context.ts';

/** The pids of the supervisor that runs and of its guardian; none where none runs or none answers. */
export const runningPids = async ({ dataDir }: Context): Promise<readonly number[]> => {
  const client = await connectIfRunning(dataDir).catch(() => undefined);
  if (client === undefined) return [];
  client.close();
  const { pid, guardian } = client.hello;
  return guardian === undefined ? [pid] : [pid, guardian.pid];
};
