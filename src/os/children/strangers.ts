// The ends of processes that are not our children (a dead supervisor started them), with their true status where the
// kernel or their remains still tell it. One thread waits for all of them.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import type { Libc } from '../libc.ts';
import { closeProcess, openProcess, pollOf, statusOfWord, toldStatus } from '../libc/pidfd.ts';
import { statOfProcess } from '../proc/proc-stat.ts';

export interface Strangers {
  /** `undefined` where it cannot be waited for: it is gone, or the kernel (before 5.3) has no descriptors of processes. */
  readonly endOf: (process: ProcessRef) => Promise<ExitStatus> | undefined;
  readonly close: () => void;
}

interface Watched {
  readonly process: ProcessRef;
  readonly settle: (status: ExitStatus) => void;
}

export const strangersBy = (libc: Libc, leaving: NodeJS.EventEmitter): Strangers => {
  const watched = new Map<number, Watched>();
  const poll = pollOf(libc);
  let state: 'idle' | 'waiting' | 'closed' = 'idle';

  const look = async (): Promise<void> => {
    state = 'waiting';
    while (watched.size > 0 && !isClosed()) {
      for (const descriptor of await poll.wait([...watched.keys()])) {
        const over = watched.get(descriptor);
        watched.delete(descriptor);
        if (over !== undefined) void tell(libc, descriptor, over);
      }
    }
    if (!isClosed()) state = 'idle';
  };
  const isClosed = (): boolean => state === 'closed';
  const close = (): void => {
    state = 'closed';
    poll.ring();
  };
  // This process cannot end while a thread of it waits.
  leaving.once('exit', close);
  return {
    endOf: (process) => {
      const descriptor = openProcess(libc, process.pid);
      if (descriptor === undefined) return undefined;
      if (statOfProcess(process) === undefined) {
        closeProcess(descriptor);
        return undefined;
      }
      return new Promise((settle) => {
        watched.set(descriptor, { process, settle });
        if (state === 'waiting') poll.ring();
        else void look();
      });
    },
    close,
  };
};

const PAUSE_MS = 10;
/** Whoever its parent is should have collected it by then. */
const PATIENCE = 100;

const tell = async (libc: Libc, descriptor: number, { process, settle }: Watched): Promise<void> => {
  let status: ExitStatus | undefined;
  for (let tries = 0; status === undefined && tries < PATIENCE; tries += 1) {
    if (tries > 0) await pause(PAUSE_MS, undefined, { ref: false });
    status =
      toldStatus(libc, descriptor) ?? statusOfRemains(process) ?? unknownIfGone(libc, descriptor, process);
  }
  closeProcess(descriptor);
  settle(status ?? { tag: 'unknown' });
};

/** Collected, and this kernel does not tell: `unknown` for good. */
const unknownIfGone = (libc: Libc, descriptor: number, process: ProcessRef): ExitStatus | undefined =>
  statOfProcess(process) === undefined ? (toldStatus(libc, descriptor) ?? { tag: 'unknown' }) : undefined;

const EXIT_CODE_FIELD = 52;

/**
 * What stands in `/proc` of a process that has ended and was not collected. Whoever may not know reads a zero there,
 * which is no success: it counts only of one that is our own in every respect.
 */
const statusOfRemains = (process: ProcessRef): ExitStatus | undefined => {
  if (statOfProcess(process)?.zombie !== true) return undefined;
  try {
    const line = readFileSync(`/proc/${process.pid}/stat`, 'latin1');
    const word = Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[EXIT_CODE_FIELD - 3]);
    return word !== 0 || isOwn(process.pid) ? statusOfWord(word) : undefined;
  } catch {
    return undefined;
  }
};

const IDS = /^(?:Uid|Gid):\t(\d+)\t(\d+)\t(\d+)/gm;

const isOwn = (pid: number): boolean => {
  const [theirs, ours] = [pid, 'self'].map((whose) => [
    ...readFileSync(`/proc/${whose}/status`, 'latin1').matchAll(IDS),
  ]);
  const ids = theirs?.flatMap(([, ...found]) => found) ?? [];
  const [[, uid] = [], [, gid] = []] = ours ?? [];
  return ids.length === 6 && ids.every((id, at) => id === (at < 3 ? uid : gid));
};
