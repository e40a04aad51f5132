// A connection to the supervisor, which is started if none runs. Ten commands may do so at the same moment:
// one supervisor wins the lock, the others exit, and every command finds the winner at the socket.
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, type ConnectOptions, dial } from './client.ts';
import { guardiansOver } from './end-guardian.ts';
import { type Launched, launchSupervisor, supervisorEnvironment } from './supervisor-process.ts';
import type { Context } from '../context.ts';
import { remark } from '../print.ts';
import { guardianOf } from '../../sources/process/guardian.ts';
import { stopInProgress } from '../../sources/store/lock.ts';
import { failure, Failure } from '../../streams/views/errors/command-failure.ts';
import { holderByName } from '../../sources/store/directory-hold.ts';
import { isFullDisk } from '../../os/files/disk-reserve.ts';

const PAUSE_MS = 20;

/** Settles when no such stop is in progress. */
export const stopOver = async (context: Context): Promise<void> => {
  const pid = stopInProgress(context.dataDir);
  if (pid === undefined) return;
  remark(context, `a stop is at work (pid ${pid}): waiting for it`);
  while (stopInProgress(context.dataDir) !== undefined) await pause(PAUSE_MS);
};

/** How long a supervisor may take until its socket answers, ms. */
const PATIENCE_MS = 10_000;
/** How long to look for another one after ours has exited, ms: the winner of a race may still be starting. */
const GRACE_MS = 1_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 20;

type Whom = Pick<ConnectOptions, 'anyProtocol'>;

const isNobodysFor = (dataDir: string): boolean =>
  holderByName(dataDir) === undefined && guardianOf(dataDir) === undefined;

/** Time in which a supervisor restores its socket, starts, ends or is restarted, ms. */
const MENDING_MS = 3_000;

/**
 * Returns the client, or `undefined` if no supervisor runs (ERR0206). Throws any other failure. Waits for a
 * supervisor that lives but does not listen, and for one that its guardian is about to restart.
 */
export const connectIfRunning = async (
  dataDir: string,
  timeout?: number,
  whom: Whom = {},
): Promise<Client | undefined> => {
  const patience = Math.min(timeout ?? MENDING_MS, MENDING_MS);
  const began = performance.now();
  for (;;) {
    const client = await dial(dataDir, { ...whom, timeout });
    if (client !== undefined || performance.now() - began > patience) return client;
    if (stopInProgress(dataDir) !== undefined || isNobodysFor(dataDir)) return undefined;
    await pause(LONGEST_PAUSE_MS);
  }
};

/** True if it could not even write the reason to its error file, because the disk is full. */
const isForWantOfRoom = (dataDir: string, launched: Launched): boolean =>
  launched.said().length === 0 && isFullDisk(dataDir);

const NO_ROOM = 'its disk is full (ENOSPC), so that no supervisor can start';

const didNotComeUp = (dataDir: string, launched: Launched, waited: number): Failure => {
  if (isForWantOfRoom(dataDir, launched)) return failure({ code: 'ERR0701', file: dataDir, detail: NO_ROOM });
  const status = launched.exited();
  const message =
    status === undefined
      ? `the supervisor did not answer within ${waited / 1000} s of its start`
      : `the supervisor ended at once, with status ${status}`;
  return new Failure({
    code: 'ERR0206',
    message,
    path: null,
    at: null,
    hint: 'sup supervise (runs it in the foreground, where it says why)',
    evidence: launched.said(),
  });
};

/** Exit status if another supervisor holds the data directory: that one is about to listen. */
const HELD = 3;

/** True if it is worth waiting, `now` milliseconds after the start. */
const mayStillCome = (launched: Launched, now: number, endedAt: number | undefined): boolean => {
  if (now >= PATIENCE_MS) return false;
  const status = launched.exited();
  return status === undefined || status === HELD || endedAt === undefined || now - endedAt < GRACE_MS;
};

/** Starts a supervisor and looks for it, and measures the time until it answers. */
export interface LaunchPorts {
  readonly launch: (context: Context) => Launched;
  readonly look: (dataDir: string, timeout: number) => Promise<Client | undefined>;
  /** Milliseconds since some moment. */
  readonly now: () => number;
  readonly pause: (length: number) => Promise<unknown>;
}

const REAL: LaunchPorts = {
  launch: launchSupervisor,
  look: (dataDir, timeout) => dial(dataDir, { timeout }),
  now: () => performance.now(),
  pause,
};

const awaitAnswer = async (context: Context, launched: Launched, ports: LaunchPorts): Promise<Client> => {
  const { dataDir } = context;
  const began = ports.now();
  let endedAt: number | undefined;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    const client = await ports.look(dataDir, PATIENCE_MS);
    if (client !== undefined) return client;
    const now = ports.now() - began;
    if (launched.exited() !== undefined) endedAt ??= now;
    if (launched.exited() === HELD && stopInProgress(dataDir) !== undefined)
      return startSupervisor(context, ports);
    if (!mayStillCome(launched, now, endedAt)) throw didNotComeUp(dataDir, launched, PATIENCE_MS);
    await ports.pause(wait);
  }
};

/**
 * Starts a supervisor and connects to it, or to one that was quicker. It first waits for a stop without a
 * supervisor, and ends a guardian that pauses: that would start a second one later.
 */
export const startSupervisor = async (context: Context, ports: LaunchPorts = REAL): Promise<Client> => {
  await stopOver(context);
  const guardian = guardianOf(context.dataDir);
  const back = guardian && (await guardiansOver(context.dataDir, [guardian]));
  if (back !== undefined) return back;
  return awaitAnswer(context, ports.launch(context), ports);
};

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
