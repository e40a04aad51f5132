// Finds out whether the C library can be called. If a supervisor runs, the result is that of the supervisor,
// because it starts the services. Otherwise the result is that of this process.
import { openLibc } from '../../../os/libc/libc.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import type { Context } from '../../context.ts';

export interface Calls {
  /** Why the C library cannot be called; absent if it can be called. */
  readonly absence?: string | undefined;
  /** True if the result is that of a running supervisor; false if it is that of this process. */
  readonly isRunning: boolean;
}

/**
 * Finds out whether the running supervisor can call the C library. If none runs, finds out whether this
 * process can call it.
 */
export const callsOf = async ({ dataDir }: Pick<Context, 'dataDir'>): Promise<Calls> => {
  const client = await connectIfRunning(dataDir).catch(() => undefined);
  client?.close();
  return client === undefined ? ownCalls() : { absence: client.hello.no_calls, isRunning: true };
};

/** Finds out whether this process can call the C library. */
export const ownCalls = (): Calls => {
  const opened = openLibc();
  return { absence: opened.tag === 'absent' ? opened.detail : undefined, isRunning: false };
};
