// What Node changed about itself is undone, so that the program finds a process as any other parent would have made it.
import { constants } from 'node:os';
import type { Libc } from '../../../os/libc.ts';
import { clearSignalMask, closeAllOnExec, keepOnExec, resetSignals } from '../../../os/libc/exec.ts';

const STANDARD = [0, 1, 2];
/** Node ignores them, and what is ignored stays so across an exec. */
const IGNORED = [constants.signals.SIGPIPE, constants.signals.SIGXFSZ];

export const readyForExec = (libc: Libc): void => {
  closeAllOnExec(libc, STANDARD.length);
  for (const descriptor of STANDARD) keepOnExec(libc, descriptor);
  resetSignals(libc, IGNORED);
  clearSignalMask(libc);
};
