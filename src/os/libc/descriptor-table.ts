// The kernel doubles our descriptor table when it is full. Since Node has threads, opening a file then waits
// some 10 ms until all processors have noticed. Hundreds of starts at once would wait several times.
import { closeSync, openSync } from 'node:fs';
import { cFunction, type Libc } from '../libc.ts';

const FCNTL = cFunction('int', 'fcntl', 'int', 'int', 'int');
const F_DUPFD_CLOEXEC = 1030;
/** Enough for two thousand services; costs 32 KiB of kernel memory. */
const LAST = 4095;

/** Grows the table in advance, on a thread of the pool. If the limit is lower the table stays as it is. */
export const growDescriptorTable = async (libc: Libc): Promise<void> => {
  try {
    const nowhere = openSync('/dev/null', 'r');
    try {
      const last = await libc.askLater(FCNTL, nowhere, F_DUPFD_CLOEXEC, LAST);
      if (last >= 0) closeSync(last);
    } finally {
      closeSync(nowhere);
    }
  } catch {
    // It grows on demand instead.
  }
};
