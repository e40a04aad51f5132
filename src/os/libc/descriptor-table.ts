// The kernel's table of our descriptors doubles when it is full, and whoever opens a file then waits until all processors
// have noticed: some ten milliseconds each time, since Node has threads. Hundreds of services at once would wait several times.
import { closeSync, openSync } from 'node:fs';
import { cFunction, type Libc } from '../libc.ts';

const FCNTL = cFunction('int', 'fcntl', 'int', 'int', 'int');
const F_DUPFD_CLOEXEC = 1030;
/** Enough for two thousand services; 32 KiB of the kernel's. */
const LAST = 4095;

/** Has it grown ahead, on a thread that nobody waits for. Where fewer may be open it stays as it is. */
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
    // It grows when it has to.
  }
};
