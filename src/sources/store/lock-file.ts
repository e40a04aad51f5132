// The content of a lock file: the process that holds the lock, and a nonce for each acquisition. The process
// is identified by pid, start tick and boot, because pids are reused.
// Rules: `docs/behaviour.md`, "One supervisor".
import { closeSync, constants, fsyncSync, writeSync } from 'node:fs';
import { isMissing } from '../../os/errno.ts';
import { openAtOnce, readAtOnce } from '../../os/files/own-file.ts';
import { currentBoot } from '../../os/proc/machine-facts.ts';
import { startTicksOf } from '../../os/proc/process-stat.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { fieldsIn, isFields } from '../../streams/wire/params/checked-fields.ts';

interface ProcessProof extends ProcessRef {
  readonly bootId: string;
}

/** Returns the identity of this process. */
export const proofOfSelf = (): ProcessProof => ({
  pid: process.pid,
  startTicks: startTicksOf(process.pid) ?? 0,
  bootId: currentBoot(),
});

/**
 * True if the process that the proof identifies is alive. Another process with the same pid does not count.
 */
export const isAlive = ({ pid, startTicks, bootId }: ProcessProof): boolean =>
  bootId === currentBoot() && startTicksOf(pid) === startTicks;

export interface LockProof extends ProcessProof {
  readonly nonce: string;
  /**
   * Present if the holder is not a supervisor, but a command that stops services and then releases the
   * directory.
   */
  readonly purpose?: 'stop';
}

/** A proof that identifies no process: the result for a lock file that no supervisor wrote. */
const UNREADABLE: LockProof = { pid: 0, startTicks: -1, bootId: '', nonce: 'unreadable' };

/** Returns the content of a lock file; `undefined` if there is no file. Throws if it cannot be read. */
export const readProof = (file: string): LockProof | undefined => {
  try {
    return parseProof(readAtOnce(file).toString());
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** Parses the content of a lock file. Text that no supervisor wrote results in a proof of no process. */
export const parseProof = (text: string): LockProof => {
  const fields = fieldsIn(text);
  return isLockProof(fields) ? fields : UNREADABLE;
};

const isLockProof = (value: unknown): value is LockProof =>
  isFields(value) &&
  typeof value['pid'] === 'number' &&
  typeof value['startTicks'] === 'number' &&
  typeof value['bootId'] === 'string' &&
  typeof value['nonce'] === 'string' &&
  /^[0-9a-f]+$/.test(value['nonce']) &&
  (value['purpose'] === undefined || value['purpose'] === 'stop');

export const writeProof = (file: string, proof: LockProof): void => {
  const { O_WRONLY, O_CREAT, O_TRUNC } = constants;
  const descriptor = openAtOnce(file, O_WRONLY | O_CREAT | O_TRUNC);
  try {
    writeSync(descriptor, JSON.stringify(proof));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};
