// The supervisor for a command that needs one: the running one or a new one. None is started for a broken
// manifest, or if nothing is registered.
import type { Selection } from '../../streams/domain/command.ts';
import type { Context } from '../context.ts';
import { refuseUnregistered } from '../offline/recorded.ts';
import { requireOwn } from '../own-directory.ts';
import { refuseBroken } from '../selection/which-manifest.ts';
import type { Client } from './client.ts';
import { connectIfRunning, startSupervisor } from './ensure-supervisor.ts';

interface Wanted {
  readonly selection: Selection;
  /** The manifest to read; by default the registered ones are meant. */
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
