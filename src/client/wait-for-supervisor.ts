// Connects to the supervisor of a data directory. Waits for a supervisor that is about to listen, or that its
// guardian is about to restart.
// Rules: `docs/behaviour.md`, "Control channel".
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, type ConnectOptions, dial } from './client.ts';
import { guardianOf, wardOf } from '../sources/process/guardian.ts';
import { holderByName } from '../sources/store/directory-hold.ts';
import { stopInProgress } from '../sources/store/lock.ts';

/** How long a supervisor may take from its start until it answers, ms. A busy machine may need seconds. */
export const PATIENCE_MS = 30_000;
/** Pause between two attempts to connect, ms. */
const PAUSE_MS = 20;

type Manner = Pick<ConnectOptions, 'anyProtocol' | 'origin'>;

const isUnsupervised = (dataDir: string): boolean =>
  holderByName(dataDir) === undefined && guardianOf(dataDir) === undefined;

/** True if a supervisor process lives and may soon listen on its socket. */
const isComing = (dataDir: string): boolean => {
  if (holderByName(dataDir) !== undefined) return true;
  const guardian = guardianOf(dataDir);
  return guardian !== undefined && wardOf(guardian) !== undefined;
};

/** Maximum wait for a supervisor that its guardian restarts after a pause, ms. */
const MENDING_MS = 3_000;

/** True if a supervisor may still answer after `waited` milliseconds without an answer. */
const mayAnswer = (dataDir: string, waited: number): boolean => {
  if (stopInProgress(dataDir) !== undefined || isUnsupervised(dataDir)) return false;
  return waited <= MENDING_MS || isComing(dataDir);
};

/**
 * Resolves to the client, or to `undefined` if no supervisor runs. Waits up to `timeout` ms (by default
 * `PATIENCE_MS`) for a supervisor that lives but does not listen yet, and up to `MENDING_MS` for a supervisor
 * that its guardian restarts.
 */
export const connectIfRunning = async (
  dataDir: string,
  timeout?: number,
  manner: Manner = {},
): Promise<Client | undefined> => {
  const most = timeout ?? PATIENCE_MS;
  const began = process.uptime() * 1000;
  for (;;) {
    const client = await dial(dataDir, { ...manner, timeout });
    const waited = process.uptime() * 1000 - began;
    if (client !== undefined || waited > most || !mayAnswer(dataDir, waited)) return client;
    await pause(PAUSE_MS);
  }
};
