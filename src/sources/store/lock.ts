// The lock of a data directory: it has at most one supervisor (`docs/behaviour.md`, "One supervisor"). The
// lock is a chain of files, each with the proof of a process. The process of the last file holds the lock:
// - `supervisor.lock` identifies the holder, as long as that process is alive.
// - `supervisor.lock.<nonce>` identifies the successor of a dead process. `<nonce>` is the nonce in the proof
//   of the dead process.
//
// Every file is created by `link`: complete, and only if it does not exist. So of all processes that find the
// same dead holder, exactly one becomes its successor. The successor moves its proof to `supervisor.lock`
// (`rename`) and removes the other files. After linking, a process reads the chain again: if
// `supervisor.lock` has changed meanwhile, the link has no effect.
import { randomBytes } from 'node:crypto';
import { linkSync, renameSync, rmSync } from 'node:fs';
import { errnoOf, isMissing } from '../../os/errno.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { SupError } from '../../streams/domain/errors/error.ts';
import { claimDataDirectory, sweepBeside, type Claimant } from './data-directory.ts';
import { isAlive, type LockProof, proofOfSelf, readProof, writeProof } from './lock-file.ts';
import { replaceFile } from '../../os/files/replace-file.ts';
import { holdReserve, useReserve } from '../../os/files/disk-reserve.ts';

interface Lock {
  /** Lets another process take the directory. Call it last: no service may be touched afterwards. */
  readonly release: () => void;
}

export type LockOutcome =
  | { readonly tag: 'acquired'; readonly lock: Lock }
  | { readonly tag: 'held'; readonly by: number }
  /** The directory cannot be used; the error is ERR0701. */
  | { readonly tag: 'unusable'; readonly error: SupError };

type Purpose = Pick<LockProof, 'purpose'>;
export type Claim = Purpose & Claimant;

/** Creates the data directory if necessary, acquires its lock and writes `sup.pid`. */
export const acquireLock = (dataDir: string, { sys, ...purpose }: Claim = {}): LockOutcome => {
  const refusal = claimDataDirectory(dataDir, { sys: sys === true });
  if (refusal !== undefined) return { tag: 'unusable', error: refusal };
  const { lock, pid, reserve } = layoutOf(dataDir);
  useReserve(reserve);
  try {
    const holder = contend(lock, purpose);
    if (holder !== process.pid) return { tag: 'held', by: holder };
    holdReserve(reserve);
    replaceFile(pid, `${process.pid}\n`, { backup: false, lasting: 'nothing' });
    return {
      tag: 'acquired',
      lock: { release: () => [pid, lock].forEach((file) => rmSync(file, { force: true })) },
    };
  } catch (error) {
    const detail = messageOf(error);
    return { tag: 'unusable', error: { code: 'ERR0701', file: lock, detail } };
  }
};

/**
 * Returns the pid of a `sup stop` that has locked the data directory because no supervisor runs, if there is
 * one. Changes nothing.
 */
export const stopInProgress = (dataDir: string): number | undefined => {
  try {
    const { holder } = walk(layoutOf(dataDir).lock);
    return holder?.purpose === 'stop' && isAlive(holder) ? holder.pid : undefined;
  } catch {
    return undefined;
  }
};

/** Returns the pid that holds the directory, if any. Throws if the lock cannot be read. */
export const lockHolder = (dataDir: string): number | undefined => {
  const { holder } = walk(layoutOf(dataDir).lock);
  return holder !== undefined && isAlive(holder) ? holder.pid : undefined;
};

/** True if the lock file exists and identifies this process. */
export const isHeldByUs = (dataDir: string): boolean => {
  try {
    const { pid, startTicks } = proofOfSelf();
    const front = readProof(layoutOf(dataDir).lock);
    return front?.pid === pid && front.startTicks === startTicks;
  } catch {
    return false;
  }
};

/** Maximum number of attempts to take the lock. A process that fails this often has not failed by chance. */
const MOST_ATTEMPTS = 1000;

/**
 * Takes the lock if it is free. Returns the pid of the process that holds it now: this process or another.
 */
const contend = (front: string, purpose: Purpose): number => {
  const own: LockProof = { ...proofOfSelf(), nonce: randomBytes(8).toString('hex'), ...purpose };
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const { end, holder } = walk(front);
    if (holder !== undefined && isAlive(holder)) return moveToFront(front, own, holder);
    linkProof(end, own);
  }
  throw new Error('the lock changes hands faster than it can be taken');
};

interface ChainEnd {
  /** The path for the next proof at the end of the chain; nothing exists there yet. */
  readonly end: string;
  readonly holder: LockProof | undefined;
}

const walk = (front: string): ChainEnd => {
  let end = front;
  let holder: LockProof | undefined;
  for (let next = readProof(end); next !== undefined; next = readProof(end)) {
    holder = next;
    if (isAlive(next)) break;
    end = `${front}.${next.nonce}`;
  }
  return { end, holder };
};

/** Returns the pid of `holder`. If this process is the holder, moves its proof to the front of the chain. */
const moveToFront = (front: string, own: LockProof, holder: LockProof): number => {
  if (holder.pid !== own.pid || holder.startTicks !== own.startTicks) return holder.pid;
  const temporary = temporaryOf(front, own);
  writeProof(temporary, holder);
  renameSync(temporary, front);
  sweepBeside(front);
  return holder.pid;
};

const temporaryOf = (front: string, own: LockProof): string => `${front}.${own.nonce}.tmp`;

/**
 * Links the proof at the end of the chain. If another process linked first, the next read of the chain shows
 * it.
 */
const linkProof = (end: string, own: LockProof): void => {
  const temporary = temporaryOf(end, own);
  writeProof(temporary, own);
  try {
    linkSync(temporary, end);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
};

/** True if another process linked first, or removed our temporary file. */
const isOvertaken = (error: unknown): boolean => isMissing(error) || errnoOf(error) === 'EEXIST';
