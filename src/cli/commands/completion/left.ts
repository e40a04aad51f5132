// Projects that `sup purge` can remove something of, with or without a supervisor.
import { leftoversIn, type Registered } from '../../../sinks/store/leftovers.ts';
import { connectIfRunning } from '../../client/ensure-supervisor.ts';
import type { Context } from '../../context.ts';
import { registeredWith, registeredWithout } from '../purge/registered.ts';

const registeredNow = async (context: Context, patienceMs: number): Promise<Registered> => {
  const client = await connectIfRunning(context.dataDir, patienceMs);
  if (client === undefined) return registeredWithout(context);
  try {
    return await registeredWith(client);
  } finally {
    client.close();
  }
};

/** Rejects if a supervisor does not answer in time: then the registered projects are not known. */
export const projectsLeft = async (context: Context, patienceMs: number): Promise<readonly string[]> => {
  const registered = await registeredNow(context, patienceMs);
  const left = leftoversIn(context.layout, registered, { kinds: ['logs', 'state'] });
  return [...new Set(left.map(({ project }) => project))];
};
