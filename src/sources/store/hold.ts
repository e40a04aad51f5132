// Holds a data directory for one process, by its lock file and by its names. Missing parts are created again.
import { existsSync } from 'node:fs';
import { layoutOf } from '../../streams/wire/layout.ts';
import { acquireLock, isHeldByUs, type Claim, type LockOutcome } from './lock.ts';
import { namesFor } from './names.ts';

export interface Hold {
  /** Restores directory, lock and pid file if they are missing. `true` if one was. */
  readonly mend: () => Promise<boolean>;
  /** Releases the directory. Call it last: services must not be touched any more. */
  readonly release: () => void;
}

type HoldOutcome =
  Exclude<LockOutcome, { tag: 'acquired' }> | { readonly tag: 'acquired'; readonly hold: Hold };

/** Like `acquireLock`, and also refuses while another process holds the names, even if its files are gone. */
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
