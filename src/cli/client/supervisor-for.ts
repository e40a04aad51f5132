// The supervisor for a command that needs one: the one that runs, or a new one. None is started for a manifest that is
// broken, or when nothing is registered.
import type { Selection } from '../../streams/domain/command.ts';
import type { Context } from '../context.ts';
import { refuseUnregistered } from '../offline/recorded.ts';
import { requireOwn } from '../own-directory.ts';
import { refuseBroken } from '../selection/which-manifest.ts';
import type { Client } from './client.ts';
import { connectIfRunning, startSupervisor } from './ensure-supervisor.ts';

interface Wanted {
  readonly selection: Selection;
  /** To be read; unless given, what is registered is meant. */
  readonly manifest?: string | undefined;
}

export const supervisorFor = async (context: Context, { selection, manifest }: Wanted): Promise<Client> => {
  const running = await connectIfRunning(context.dataDir);
  if (running !== undefined) return running;
  requireOwn(context);
  if (manifest === undefined) refuseUnregistered(context, selection);
  else await refuseBroken(context, manifest);
  return startSupervisor(context);
};
