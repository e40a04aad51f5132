// SIGKILL for everything that belongs to a run, newcomers included: looks again after each strike until two rounds in
// a row find nobody new, so that what forks while being killed dies too.
import { setTimeout } from 'node:timers/promises';
import type { RunId, ServiceId } from '../../streams/domain/ids.ts';
import type { Census } from '../../streams/domain/ports.ts';
import type { ProcessRef } from '../../streams/domain/process.ts';
import { killAll } from './strike.ts';

export interface Quarry {
  readonly service: ServiceId;
  readonly run: RunId;
  readonly leader: ProcessRef;
  /** Who is known already. */
  readonly targets: readonly ProcessRef[];
}

const MAX_ROUNDS = 100;
const MAX_MS = 2000;
const QUIET_ROUNDS = 2;
/** Before another look at a process table that could not be read. */
const BLIND_PAUSE_MS = 50;

/** Settles when two rounds found nobody new, or after 100 rounds or 2 s. Never rejects. */
export const hunt = async (census: Census, quarry: Quarry): Promise<void> => {
  const struck = new Set<string>();
  const until = performance.now() + MAX_MS;
  strikeNew(quarry, struck, quarry.targets);
  let quiet = 0;
  for (let round = 0; round < MAX_ROUNDS && quiet < QUIET_ROUNDS && performance.now() < until; round += 1) {
    const seen = await look(census, quarry);
    const nobodyNew = seen !== undefined && strikeNew(quarry, struck, seen) === 0;
    quiet = nobodyNew ? quiet + 1 : 0;
  }
};

/** How many there were that had not been struck before. */
const strikeNew = ({ leader }: Quarry, struck: Set<string>, seen: readonly ProcessRef[]): number => {
  const fresh = seen.filter((member) => !struck.has(keyOf(member)));
  killAll(fresh, leader);
  for (const member of fresh) struck.add(keyOf(member));
  return fresh.length;
};

/** `undefined`: the process table cannot be read now, which is not the same as nobody there. */
const look = async (census: Census, quarry: Quarry): Promise<readonly ProcessRef[] | undefined> => {
  try {
    return await census.membersOf(quarry.service, quarry.run, quarry.leader);
  } catch {
    await setTimeout(BLIND_PAUSE_MS);
    return undefined;
  }
};

const keyOf = ({ pid, startTicks }: ProcessRef): string => `${pid}:${startTicks}`;
