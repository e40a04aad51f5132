// Undoes what Node changed in its own process, so that the program starts as under any other parent.
import { constants } from 'node:os';
import type { Libc } from '../../../os/libc.ts';
import { clearSignalMask, closeAllOnExec, keepOnExec, resetSignals } from '../../../os/libc/exec.ts';

const STANDARD = 3;
/** Node ignores these signals, and an ignored signal stays ignored across an exec. */
const IGNORED = [constants.signals.SIGPIPE, constants.signals.SIGXFSZ];

/**
 * Prepares the exec. `handed`: how many descriptors after standard error the program gets as well. Node
 * closes them on exec, as 0–2.
 */
export const readyForExec = (libc: Libc, handed: number): void => {
  const kept = STANDARD + handed;
  closeAllOnExec(libc, kept);
  for (let descriptor = 0; descriptor < kept; descriptor += 1) keepOnExec(libc, descriptor);
  resetSignals(libc, IGNORED);
  clearSignalMask(libc);
};
