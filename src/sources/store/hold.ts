// Holds a data directory for one process: by its lock file and by its names. What of it vanishes is made again.
import { existsSync } from 'node:fs';
import { layoutOf } from '../../streams/wire/layout.ts';
import { acquireLock, isHeldByUs, type Claim, type LockOutcome } from './lock.ts';
import { namesFor } from './names.ts';

export interface Hold {
  /** Makes directory, lock and pid file again where they are gone. `true`: something was. */
  readonly mend: () => Promise<boolean>;
  /** Gives the directory free. Only at the very end: services must not be touched any more. */
  readonly release: () => void;
}

type HoldOutcome =
  Exclude<LockOutcome, { tag: 'acquired' }> | { readonly tag: 'acquired'; readonly hold: Hold };

/** As `acquireLock`, and refused as well while somebody has it whose files are gone. */
export const holdDirectory = async (dataDir: string, claim: Claim = {}): Promise<HoldOutcome> => {
  const outcome = acquireLock(dataDir, claim);
  if (outcome.tag !== 'acquired') return outcome;
  const { lock } = outcome;
  const names = namesFor(dataDir);
  const other = await names.take();
  if (other !== undefined) {
    names.release();
    lock.release();
    return { tag: 'held', by: other };
  }
  const { pid } = layoutOf(dataDir);
  const hold: Hold = {
    mend: async () => {
      if (isHeldByUs(dataDir) && existsSync(pid)) return false;
      acquireLock(dataDir, claim);
      await names.take();
      return true;
    },
    release: () => {
      lock.release();
      names.release();
    },
  };
  return { tag: 'acquired', hold };
};
