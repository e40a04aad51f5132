// Kills a supervisor that does not answer. As after a crash, services continue and the next supervisor adopts
// them.
import { setTimeout as pause } from 'node:timers/promises';
import { startTicksOf } from '../../../os/proc/process-stat.ts';
import { guardiansOf } from '../../../sources/process/guardian.ts';
import { lockHolder, stopInProgress } from '../../../sources/store/lock.ts';
import { holderByName } from '../../../sources/store/directory-hold.ts';
import { ms } from '../../../streams/domain/time.ts';
import { Failure, failure } from '../../../streams/views/errors/command-failure.ts';
import { ClientFailure } from '../../../client/client-failure.ts';
import { send } from '../../client/end-guardian.ts';

/** How long the kernel may take to end the killed supervisor, ms. */
const DYING_MS = 10_000;
const PAUSE_MS = 20;

/**
 * True if the error means that a supervisor lives but does not answer. A supervisor that refuses a client
 * because it has too many connections has answered.
 */
export const isSilence = (thrown: unknown): boolean => {
  if (thrown instanceof Failure) return thrown.document.code === 'ERR0205';
  if (!(thrown instanceof ClientFailure)) return false;
  return thrown.error?.code === 'ERR0205' && thrown.error.full !== true;
};

const holderOf = (dataDir: string): number | undefined =>
  stopInProgress(dataDir) === undefined ? (lockHolder(dataDir) ?? holderByName(dataDir)) : undefined;

/**
 * Kills the guardians, which would start another supervisor, and then the supervisor. Resolves to the
 * supervisor's pid, or to `undefined` if none runs. Rejects with ERR0205 if the supervisor survives SIGKILL.
 */
export const killFrozen = async (dataDir: string): Promise<number | undefined> => {
  guardiansOf(dataDir).forEach((guardian) => send(guardian, 'SIGKILL'));
  const pid = holderOf(dataDir);
  if (pid === undefined) return undefined;
  const startTicks = startTicksOf(pid);
  send({ pid }, 'SIGKILL');
  const until = performance.now() + DYING_MS;
  while (startTicksOf(pid) === startTicks && startTicks !== undefined) {
    if (performance.now() > until) throw failure({ code: 'ERR0205', pid, waited: ms(DYING_MS) });
    await pause(PAUSE_MS);
  }
  return pid;
};
