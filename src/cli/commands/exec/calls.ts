// Whether services get what only calls to the C library give them: asked of the supervisor that runs them.
import { openLibc } from '../../../os/libc.ts';
import { connectIfRunning } from '../../client/ensure-supervisor.ts';
import type { Context } from '../../context.ts';

export interface Calls {
  /** Why there are none; absent: there are. */
  readonly absence?: string | undefined;
  /** The supervisor said so; without one, what this process found is what the next one would find. */
  readonly isRunning: boolean;
}

/** A supervisor that does not answer counts as none. */
export const callsOf = async ({ dataDir }: Pick<Context, 'dataDir'>): Promise<Calls> => {
  const client = await connectIfRunning(dataDir).catch(() => undefined);
  client?.close();
  if (client !== undefined) return { absence: client.hello.no_calls, isRunning: true };
  const opened = openLibc();
  return { absence: opened.tag === 'absent' ? opened.detail : undefined, isRunning: false };
};
