// Pids of the running supervisor.
import { connectIfRunning } from '../../client/ensure-supervisor.ts';
import type { Context } from '../../context.ts';

/** Pids of the running supervisor and its guardian; empty if none runs or answers. */
export const runningPids = async ({ dataDir }: Context): Promise<readonly number[]> => {
  const client = await connectIfRunning(dataDir).catch(() => undefined);
  if (client === undefined) return [];
  client.close();
  const { pid, guardian } = client.hello;
  return guardian === undefined ? [pid] : [pid, guardian.pid];
};
