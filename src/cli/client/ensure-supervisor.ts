// Starts a supervisor if none runs, and connects to it. If several commands start a supervisor at the same
// time, only one of these supervisors gets the lock, and the others exit. All commands then connect to the
// supervisor that has the lock.
// Rules: `docs/behaviour.md`, "Saved state"; `docs/behaviour.md`, "Without a supervisor";
// `docs/behaviour.md`, "One supervisor".
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, dial } from '../../client/client.ts';
import { connectIfRunning, PATIENCE_MS } from '../../client/wait-for-supervisor.ts';
import { guardiansOver } from './end-guardian.ts';
import { supervisorEnvironment } from '../../client/manifests/manifest-paths.ts';
import { type Launched, launchSupervisor } from './supervisor-process.ts';
import type { Context } from '../context.ts';
import { remark } from '../print.ts';
import { guardianOf } from '../../sources/process/guardian.ts';
import { stopInProgress } from '../../sources/store/lock.ts';
import { failure, Failure } from '../../streams/views/errors/command-failure.ts';
import { isFullDisk } from '../../os/files/disk-reserve.ts';

const PAUSE_MS = 20;

/** If another process runs `sup stop` without a supervisor, waits until this stop is over. */
export const stopOver = async (context: Context): Promise<void> => {
  const pid = stopInProgress(context.dataDir);
  if (pid === undefined) return;
  remark(context, `a stop is at work (pid ${pid}): waiting for it`);
  while (stopInProgress(context.dataDir) !== undefined) await pause(PAUSE_MS);
};

/** How long to wait for another supervisor after the launched supervisor has exited, ms. */
const GRACE_MS = 1_000;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 20;
/**
 * Each pause is `FIRST_PAUSE_MS` plus this share of the time since the start, so the pauses become longer.
 */
const PAUSE_GROWTH = 0.05;

/** True if the disk is full and the supervisor's error file is empty because nothing could be written. */
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

/** Exit status of a supervisor that found the data directory locked by another one. */
const HELD = 3;

/**
 * True if a supervisor may still begin to listen. `now` and `endedAt` are in ms since the start. `endedAt` is
 * when the launched supervisor exited; `undefined` if it has not exited.
 */
const mayStillCome = (launched: Launched, now: number, endedAt: number | undefined): boolean => {
  if (now >= PATIENCE_MS) return false;
  const status = launched.exited();
  return status === undefined || status === HELD || endedAt === undefined || now - endedAt < GRACE_MS;
};

/**
 * The functions that the start of a supervisor needs: they launch and find it, and measure time. Tests
 * replace these functions.
 */
export interface LaunchPorts {
  readonly launch: (context: Context) => Launched;
  readonly look: (dataDir: string, timeout: number) => Promise<Client | undefined>;
  /** Returns the time in ms since an arbitrary moment. */
  readonly now: () => number;
  readonly pause: (length: number) => Promise<unknown>;
}

const REAL: LaunchPorts = {
  launch: (context) => launchSupervisor(context),
  look: (dataDir, timeout) => dial(dataDir, { timeout }),
  now: () => process.uptime() * 1000,
  pause: (length) => pause(length),
};

const awaitAnswer = async (context: Context, launched: Launched, ports: LaunchPorts): Promise<Client> => {
  const { dataDir } = context;
  const began = ports.now();
  let endedAt: number | undefined;
  for (;;) {
    const client = await ports.look(dataDir, PATIENCE_MS);
    if (client !== undefined) return client;
    const now = ports.now() - began;
    if (launched.exited() !== undefined) endedAt ??= now;
    if (launched.exited() === HELD && stopInProgress(dataDir) !== undefined)
      return startSupervisor(context, ports);
    if (!mayStillCome(launched, now, endedAt)) throw didNotComeUp(dataDir, launched, PATIENCE_MS);
    await ports.pause(Math.min(FIRST_PAUSE_MS + now * PAUSE_GROWTH, LONGEST_PAUSE_MS));
  }
};

/**
 * Starts a supervisor and resolves to its client, or to a client of another supervisor that got the lock
 * first. Before that, ends a guardian that pauses between restarts, because the guardian would start a second
 * supervisor.
 */
export const startSupervisor = async (context: Context, ports: LaunchPorts = REAL): Promise<Client> => {
  await stopOver(context);
  const guardian = guardianOf(context.dataDir);
  const back = guardian && (await guardiansOver(context.dataDir, [guardian]));
  if (back !== undefined) return back;
  return awaitAnswer(context, ports.launch(context), ports);
};

/**
 * Resolves to the environment that services inherit: that of the running supervisor, or if none runs, that of
 * a supervisor that this process would start. Rejects with ERR0205 if a supervisor does not answer.
 */
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
