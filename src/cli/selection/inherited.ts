// The environment that services inherit: the running supervisor's, otherwise that of the next one.
import { connectIfRunning } from '../client/ensure-supervisor.ts';
import { supervisorEnvironment } from '../client/supervisor-process.ts';
import type { Context } from '../context.ts';

/** Rejects with ERR0205 if a supervisor runs and does not answer. */
export const inheritedEnvironment = async ({
  dataDir,
  world,
}: Context): Promise<Readonly<Record<string, string>>> => {
  const client = await connectIfRunning(dataDir);
  if (client === undefined) return supervisorEnvironment(world.environment, dataDir);
  try {
    return await client.call('environment', {});
  } finally {
    client.close();
  }
};
