// Ends guardians that have no running supervisor, for `sup shutdown` and for commands that start a
// supervisor. If such a guardian restarts its supervisor in the meantime, the command uses the restarted
// supervisor.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { isGone } from '../../os/errno.ts';
import { startTicksOf } from '../../os/proc/process-stat.ts';
import { wardOf } from '../../sources/process/guardian.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { ms } from '../../streams/domain/time.ts';
import type { Hello } from '../../streams/wire/protocol.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import { type Client, dial } from '../../client/client.ts';

/**
 * How long a guardian may take to exit before it is killed, ms. `WARD_PATIENCE_MS` is how long a supervisor
 * that a guardian has restarted may take to answer.
 */
const PATIENCE_MS = 3_000;
const WARD_PATIENCE_MS = 30_000;
const PAUSE_MS = 10;

const isThere = ({ pid, startTicks }: ProcessRef): boolean => startTicksOf(pid) === startTicks;

export const send = ({ pid }: Pick<ProcessRef, 'pid'>, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
};

/** True if the guardian has a handler of SIGQUIT. Without it the signal would kill the guardian. */
const handlesQuit = ({ pid }: ProcessRef): boolean => {
  try {
    const [, caught = '0'] =
      /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (BigInt(`0x${caught}`) & 0b100n) !== 0n;
  } catch {
    return false;
  }
};

/** Asks a guardian that pauses between restarts to exit. A suspended guardian also needs SIGCONT to do so. */
const askToLeave = (guardian: ProcessRef): void => {
  if (handlesQuit(guardian)) send(guardian, 'SIGQUIT');
  send(guardian, 'SIGCONT');
};

const isOfOne = ({ guardian }: Hello, guardians: readonly ProcessRef[]): boolean =>
  guardians.some(({ pid }) => pid === guardian?.pid);

const broughtBack = async (
  dataDir: string,
  guardians: readonly ProcessRef[],
): Promise<Client | undefined> => {
  const client = await dial(dataDir);
  if (client === undefined || isOfOne(client.hello, guardians)) return client;
  client.close();
  return undefined;
};

/**
 * Kills each guardian that has no supervisor. Throws ERR0205 if a guardian has a supervisor and this
 * supervisor has not answered within `WARD_PATIENCE_MS`. `waited`: ms since the first attempt.
 */
const endIdle = (guardians: readonly ProcessRef[], waited: number): void => {
  for (const guardian of guardians) {
    const pid = wardOf(guardian);
    if (pid === undefined) send(guardian, 'SIGKILL');
    else if (waited > WARD_PATIENCE_MS) throw failure({ code: 'ERR0205', pid, waited: ms(WARD_PATIENCE_MS) });
  }
};

/**
 * Ends the guardians. Resolves to `undefined` when all have exited, or to a client of the supervisor that a
 * guardian has restarted. Rejects with ERR0205 if that supervisor does not answer.
 */
export const guardiansOver = async (
  dataDir: string,
  guardians: readonly ProcessRef[],
): Promise<Client | undefined> => {
  const began = performance.now();
  for (;;) {
    const left = guardians.filter(isThere);
    if (left.length === 0) return undefined;
    left.forEach(askToLeave);
    const client = await broughtBack(dataDir, left);
    if (client !== undefined) return client;
    const waited = performance.now() - began;
    if (waited > PATIENCE_MS) endIdle(left, waited);
    await pause(PAUSE_MS);
  }
};
