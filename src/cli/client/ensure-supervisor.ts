// A connection to the supervisor, which is started when none is running. Ten commands may do so at the same moment:
// one supervisor wins the lock, the others end, and every command finds the winner at the socket.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, ConnectOptions } from './client.ts';
import type { Context } from '../context.ts';
import { failure, Failure } from '../../streams/views/errors/failure.ts';
import { isFullDisk } from '../../os/files/reserve.ts';
import { guardianOf } from '../../sources/process/guardian.ts';
import { holderByName } from '../../sources/store/names.ts';
import { stopInProgress } from '../../sources/store/lock.ts';
import { stopOver } from '../offline/stop-over.ts';
import { dial } from './dial.ts';
import { guardiansOver } from './end-guardian.ts';
import { launchSupervisor, type Launched } from './supervisor-process.ts';

/** How long a supervisor may take until its socket answers. */
const PATIENCE_MS = 10_000;
/** How long to look for another one after ours has ended: the winner of a race may still be on its way. */
const GRACE_MS = 1_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 20;

type Whom = Pick<ConnectOptions, 'anyProtocol'>;

const isNobodysFor = (dataDir: string): boolean =>
  holderByName(dataDir) === undefined && guardianOf(dataDir) === undefined;

/** In which a supervisor makes its socket again, one that begins or ends has got through with that, or is brought back. */
const MENDING_MS = 3_000;

/**
 * The client, or `undefined` when no supervisor is running (ERR0206). Any other failure is thrown. A supervisor that lives
 * although nobody is found at its socket is waited for, and so is one that its guardian is to bring back.
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

/** It has not said why on its standard error, which is a file in the data directory: there was no room for that either. */
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

/** Another supervisor holds the data directory: it is on its way to the socket. */
const HELD = 3;

/** Whether to go on waiting, `now` milliseconds after the start. */
const mayStillCome = (launched: Launched, now: number, endedAt: number | undefined): boolean => {
  if (now >= PATIENCE_MS) return false;
  const status = launched.exited();
  return status === undefined || status === HELD || endedAt === undefined || now - endedAt < GRACE_MS;
};

/** How a supervisor is started and looked for, and the time that passes until it answers. */
export interface StartPorts {
  readonly launch: (context: Context) => Launched;
  readonly look: (dataDir: string, timeout: number) => Promise<Client | undefined>;
  /** Milliseconds since some moment. */
  readonly now: () => number;
  readonly pause: (length: number) => Promise<unknown>;
}

const REAL: StartPorts = {
  launch: launchSupervisor,
  look: (dataDir, timeout) => dial(dataDir, { timeout }),
  now: () => performance.now(),
  pause,
};

const awaitAnswer = async (context: Context, launched: Launched, ports: StartPorts): Promise<Client> => {
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
 * Starts a supervisor and connects to it, or to the one that was quicker. A stop without one is waited for, and a guardian that
 * pauses ends first: it would bring back a second one later.
 */
export const startSupervisor = async (context: Context, ports: StartPorts = REAL): Promise<Client> => {
  await stopOver(context);
  const guardian = guardianOf(context.dataDir);
  const back = guardian && (await guardiansOver(context.dataDir, [guardian]));
  if (back !== undefined) return back;
  return awaitAnswer(context, ports.launch(context), ports);
};
