// Takes what is left out of everybody's way, then removes it. A running supervisor sets it aside itself, so that nothing is
// taken from who is being registered at that moment; without one the lock is held meanwhile.
import { rm } from 'node:fs/promises';
import { Keeper } from '../../sinks/logs/keeper.ts';
import { leftoversIn, setAside } from '../../sinks/store/leftovers.ts';
import type { Found } from '../../streams/domain/event.ts';
import type { Leftover, Methods, PurgeQuery } from '../../streams/wire/protocol.ts';
import type { Client } from '../client/client.ts';
import type { Context } from '../context.ts';
import { takeLock } from '../offline/offline-stop.ts';
import { removeCgroups } from './cgroups.ts';
import { endLeft } from './living.ts';
import { registeredWithout } from './registered.ts';
import { bytesOf, type Purge } from './report.ts';

type Removed = Methods['purge']['result']['removed'];

const endKeeper = ({ dataDir, keeper: pidFile }: Context['layout']): void =>
  new Keeper({ dataDir, pidFile, kept: () => [], isScarce: () => false }).close();

/** Looks once more, and sets aside. */
const takeAway = async (
  context: Context,
  client: Client | undefined,
  query: PurgeQuery,
): Promise<Removed> => {
  if (client !== undefined) return (await client.call('purge', query)).removed;
  const lock = await takeLock(context);
  try {
    const registered = registeredWithout(context);
    // Who held the FIFOs of these open for a supervisor to come holds nothing else.
    if (registered.services.size === 0) endKeeper(context.layout);
    return setAside(context.layout, leftoversIn(context.layout, registered, query));
  } finally {
    lock.release();
  }
};

interface Work {
  readonly query: PurgeQuery;
  /** To be ended first. */
  readonly living: readonly Found[];
  readonly cgroups: readonly Leftover[];
}

/** Settles when it is gone. Throws ERR0112 for who would not die; then nothing is removed. */
export const carryOut = async (
  context: Context,
  client: Client | undefined,
  { query, living, cgroups }: Work,
): Promise<Purge> => {
  await endLeft(context.dataDir, living);
  const aside = await takeAway(context, client, query);
  const files = aside.map((one) => ({ ...one, bytes: bytesOf(one.aside) }));
  await rm(context.layout.purged, { recursive: true, force: true });
  const empty = removeCgroups(cgroups).map((one) => ({ ...one, bytes: 0 }));
  return { dryRun: false, removed: [...files, ...empty], stopped: living };
};
