// Whether services get what needs calls to the C library, as the supervisor that runs them says.
import { openLibc } from '../../../os/libc/libc.ts';
import { connectIfRunning } from '../../client/ensure-supervisor.ts';
import type { Context } from '../../context.ts';

export interface Calls {
  /** Why calls are not possible; absent: they are. */
  readonly absence?: string | undefined;
  /** True if a running supervisor said so; otherwise this process has tested it. */
  readonly isRunning: boolean;
}

/** Treats a supervisor that does not answer as none. */
export const callsOf = async ({ dataDir }: Pick<Context, 'dataDir'>): Promise<Calls> => {
  const client = await connectIfRunning(dataDir).catch(() => undefined);
  client?.close();
  if (client !== undefined) return { absence: client.hello.no_calls, isRunning: true };
  const opened = openLibc();
  return { absence: opened.tag === 'absent' ? opened.detail : undefined, isRunning: false };
};
