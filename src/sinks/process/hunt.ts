// SIGKILL for everything that belongs to a run, newcomers included: looks again after each strike until two rounds in
// a row find nobody new, so that what forks while being killed dies too.
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

export const hunt = async (census: Census, quarry: Quarry): Promise<void> => {
  const struck = new Set(quarry.targets.map(keyOf));
  const until = performance.now() + MAX_MS;
  killAll(quarry.targets, quarry.leader);
  let quiet = 0;
  for (let round = 0; round < MAX_ROUNDS && quiet < QUIET_ROUNDS && performance.now() < until; round += 1) {
    const alive = await census.membersOf(quarry.service, quarry.run, quarry.leader);
    const fresh = alive.filter((member) => !struck.has(keyOf(member)));
    killAll(fresh, quarry.leader);
    for (const member of fresh) struck.add(keyOf(member));
    quiet = fresh.length === 0 ? quiet + 1 : 0;
  }
};

const keyOf = ({ pid, startTicks }: ProcessRef): string => `${pid}:${startTicks}`;
