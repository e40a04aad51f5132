// The descriptors a child gets as its standard output and error.
import { closeSync } from 'node:fs';
import type { Outlets } from '../../../streams/domain/ports.ts';

/** Closes the descriptors once: their numbers may be reused later. */
const closer = (fds: readonly number[]): (() => void) => {
  let open = true;
  return () => {
    if (!open) return;
    open = false;
    for (const fd of fds) closeSync(fd);
  };
};

/** Opens both; when the second fails, the first is closed. */
export const pairedOutlets = (openStdout: () => number, openStderr: () => number): Outlets => {
  const stdout = openStdout();
  try {
    const stderr = openStderr();
    return { stdout, stderr, close: closer([stdout, stderr]) };
  } catch (error) {
    closeSync(stdout);
    throw error;
  }
};

export const sharedOutlets = (fd: number): Outlets => ({ stdout: fd, stderr: fd, close: closer([fd]) });
