// Ends leftover runs, moves leftover files aside and removes them. If a supervisor runs, the supervisor moves
// the files, so that a project that is registered at the same time keeps its files. Without a supervisor,
// this command holds the lock and moves the files.
import { FifoHolder } from '../../../sinks/logs/fifo/fifo-holder.ts';
import {
  leftoversIn,
  removeAside,
  setAside,
  type RegisteredNames,
} from '../../../sinks/store/unregistered-files.ts';
import type { Found } from '../../../streams/domain/event.ts';
import type { Leftover, Methods, PurgeQuery } from '../../../streams/wire/protocol.ts';
import type { Client } from '../../../client/client.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import type { Context } from '../../context.ts';
import { takeLock } from '../../offline/offline-stop.ts';
import { endLeft, removeCgroups } from './leftover-runs.ts';
import { registeredWith, registeredWithout } from './registered-names.ts';
import { bytesOf, type Purge } from './purge-report.ts';

type Removed = Methods['purge']['result']['removed'];

export const endFifoHolder = ({ dataDir, fifoHolderPid: pidFile, silence }: Context['layout']): void =>
  new FifoHolder({
    ...{ dataDir, pidFile, silence },
    makeFifos: () => Promise.resolve(false),
    kept: () => [],
    isScarce: () => false,
  }).close();

interface Work {
  readonly query: PurgeQuery;
  readonly living: readonly Found[];
  readonly cgroups: readonly Leftover[];
}

interface PurgeResult {
  readonly removed: Removed;
  readonly stopped: readonly Found[];
}

/**
 * Ends the leftover runs and returns them. Does not end runs of services that were registered while the user
 * was asked for confirmation.
 */
const endStillLeft = async (
  { dataDir }: Context,
  { services }: RegisteredNames,
  { living }: Work,
): Promise<readonly Found[]> => {
  const left = living.filter(({ service }) => !services.has(service));
  await endLeft(dataDir, left);
  return left;
};

const takeWith = async (context: Context, client: Client, work: Work): Promise<PurgeResult> => {
  const stopped = await endStillLeft(context, await registeredWith(client), work);
  return { stopped, removed: (await client.call('purge', work.query)).removed };
};

const takeWithout = async (context: Context, work: Work): Promise<PurgeResult> => {
  const lock = await takeLock(context);
  try {
    const registered = registeredWithout(context);
    const stopped = await endStillLeft(context, registered, work);
    // The FIFO holder keeps FIFOs open for the next supervisor. If no service is registered, none is needed.
    if (registered.services.size === 0) endFifoHolder(context.layout);
    return {
      stopped,
      removed: setAside(context.layout, leftoversIn(context.layout, registered, work.query)),
    };
  } finally {
    lock.release();
  }
};

/**
 * Ends leftover runs and moves leftover files aside. If a supervisor runs, the supervisor moves the files.
 * `client` is `undefined` if no supervisor ran when the command began. One may have started since.
 */
const takeAway = async (context: Context, client: Client | undefined, work: Work): Promise<PurgeResult> => {
  if (client !== undefined) return takeWith(context, client, work);
  const come = await connectIfRunning(context.dataDir);
  try {
    return await (come === undefined ? takeWithout(context, work) : takeWith(context, come, work));
  } finally {
    come?.close();
  }
};

/** Removes all leftovers. If a process survives, rejects with ERR0112 and removes nothing. */
export const carryOut = async (context: Context, client: Client | undefined, work: Work): Promise<Purge> => {
  const { removed, stopped } = await takeAway(context, client, work);
  const files = removed.map((one) => ({ ...one, bytes: bytesOf(one.aside) }));
  await removeAside(context.layout);
  const empty = removeCgroups(work.cgroups).map((one) => ({ ...one, bytes: 0 }));
  return { dryRun: false, removed: [...files, ...empty], stopped };
};
