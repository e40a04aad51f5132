// Reports signals and reloads to the supervisor, for the histories. The signal itself does not need it: a
// supervisor that is gone, frozen or older is not waited for.
import type { ServiceAct } from '../../../streams/domain/command.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { ClientFailure } from '../../client/client-failure.ts';
import { connectIfRunning } from '../../client/ensure-supervisor.ts';
import type { Context } from '../../context.ts';

const PATIENCE_MS = 1_000;

const tellSupervisor = async (dataDir: string, acts: readonly ServiceAct[]): Promise<void> => {
  const client = await connectIfRunning(dataDir, PATIENCE_MS);
  try {
    await client?.call('command', { type: 'acted', acts }, { timeoutMs: PATIENCE_MS });
  } finally {
    client?.close();
  }
};

/** Returns warnings and never rejects: a supervisor that does not record the act causes one. */
export const remembered = async (
  { dataDir }: Context,
  acts: readonly ServiceAct[],
): Promise<readonly string[]> => {
  if (acts.length === 0) return [];
  try {
    await tellSupervisor(dataDir, acts);
    return [];
  } catch (error) {
    const why = error instanceof ClientFailure ? error.document.message : messageOf(error);
    return [`it will not stand in the history: ${why}`];
  }
};
