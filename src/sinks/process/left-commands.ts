// Commands that a dead supervisor has left running: they are run again, so what is left of them ends before.
import { lastValueFrom, merge } from 'rxjs';
import type { Census } from '../../streams/domain/ports.ts';
import { markOfKey } from './command-mark.ts';
import { hunt } from './hunt.ts';

/** Nobody: whoever carries the mark is meant, whenever it was born. */
const NO_LEADER = { pid: 0, startTicks: 0 };

/** Settles when nobody is left of the commands of these keys. */
export const endLeftCommands = async (census: Census, keys: readonly string[]): Promise<void> => {
  const hunts = keys.map((key) => hunt(census, { ...markOfKey(key), leader: NO_LEADER, targets: [] }));
  await lastValueFrom(merge(...hunts), { defaultValue: undefined });
};
