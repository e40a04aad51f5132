// The ends of processes that are not our children: a dead supervisor started them. Their true status is
// reported if the kernel or the zombie still has it. One thread waits for all. Each takes a descriptor; if
// descriptors run out, it is closed and the process is polled.
// Rules: `docs/behaviour.md`, "Adoption".
import { setTimeout as pause } from 'node:timers/promises';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import { type ProcessRef, sameProcess } from '../../streams/domain/service/process.ts';
import type { Libc } from '../libc/libc.ts';
import { DescriptorBudget } from '../own-descriptors.ts';
import { closeProcess, openProcess, pollOf, toldStatus, statusOfWord } from '../libc/process-ends.ts';
import { isOver, parseStat, statOfProcess, statReader } from '../proc/process-stat.ts';
import { readFileSync, readlinkSync } from 'node:fs';

/** The field of the exit status in `/proc/<pid>/stat`. */
const EXIT_CODE_FIELD = 52;

/**
 * The status of a zombie in `/proc`. A reader without the right to trace the process reads a zero there,
 * which is no success. The kernel checks the same right for the namespace links of a process, and a zombie
 * keeps its user namespace.
 */
const statusOfRemains = (process: ProcessRef): ExitStatus | undefined => {
  const { pid } = process;
  try {
    readlinkSync(`/proc/${pid}/ns/user`);
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const stat = parseStat(pid, line);
    if (!stat.zombie || !sameProcess(stat, process)) return undefined;
    return statusOfWord(Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[EXIT_CODE_FIELD - 3]));
  } catch {
    return undefined;
  }
};

export interface Strangers {
  /**
   * `undefined` if it cannot be waited for: the process is gone, too few descriptors are left, or the kernel
   * (before 5.3) has no pidfd.
   */
  readonly endOf: (process: ProcessRef) => Promise<ExitStatus> | undefined;
  readonly close: () => void;
}

interface Watched {
  readonly process: ProcessRef;
  readonly settle: (status: ExitStatus) => void;
}

/** How many descriptors are given back at a time. */
const SOME = 32;

class Waiting {
  readonly #libc: Libc;
  readonly #poll: ReturnType<typeof pollOf>;
  readonly #watched = new Map<number, Watched>();
  #state: 'idle' | 'waiting' | 'closed' = 'idle';

  constructor(libc: Libc) {
    this.#libc = libc;
    this.#poll = pollOf(libc);
  }

  add(descriptor: number, stranger: Watched): void {
    this.#watched.set(descriptor, stranger);
    if (this.#state === 'waiting') this.#poll.ring();
    else void this.#look();
  }

  /** Closes some descriptors; false if there are none. */
  giveBack(): boolean {
    const some = [...this.#watched].slice(-SOME);
    for (const [descriptor, stranger] of some) {
      this.#watched.delete(descriptor);
      closeProcess(descriptor);
      void lookAfter(stranger, () => this.#isClosed());
    }
    this.#poll.ring();
    return some.length > 0;
  }

  close(): void {
    this.#state = 'closed';
    this.#poll.ring();
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  async #look(): Promise<void> {
    this.#state = 'waiting';
    while (this.#watched.size > 0 && !this.#isClosed()) {
      const asked = new Map(this.#watched);
      for (const descriptor of await this.#poll.wait([...asked.keys()])) {
        const over = this.#watched.get(descriptor);
        // Its number may have been reused by now.
        if (over === undefined || over !== asked.get(descriptor)) continue;
        this.#watched.delete(descriptor);
        void tell(this.#libc, descriptor, over);
      }
    }
    if (!this.#isClosed()) this.#state = 'idle';
  }
}

export const strangersBy = (
  libc: Libc,
  leaving: NodeJS.EventEmitter,
  descriptorBudget = new DescriptorBudget(),
): Strangers => {
  const waiting = new Waiting(libc);
  const close = (): void => waiting.close();
  // This process cannot exit while one of its threads waits.
  leaving.once('exit', close);
  descriptorBudget.onShortage(() => waiting.giveBack());
  return {
    endOf: (process) => {
      const descriptor = descriptorBudget.isTight() ? undefined : openProcess(libc, process.pid);
      if (descriptor === undefined) return undefined;
      if (statOfProcess(process) === undefined) {
        closeProcess(descriptor);
        return undefined;
      }
      return new Promise((settle) => {
        waiting.add(descriptor, { process, settle });
      });
    },
    close,
  };
};

const PAUSE_MS = 10;
/**
 * Number of tries. Its parent should reap it within 5 s: some programs that run as process 1 check every 2 s.
 */
const PATIENCE = 500;

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

/** The process was reaped and this kernel does not report its status: `unknown` for good. */
const unknownIfGone = (libc: Libc, descriptor: number, process: ProcessRef): ExitStatus | undefined =>
  statOfProcess(process) === undefined ? (toldStatus(libc, descriptor) ?? { tag: 'unknown' }) : undefined;

const LOOK_MS = 200;

/** Polls a process without a descriptor until it has ended. */
const lookAfter = async ({ process, settle }: Watched, isClosed: () => boolean): Promise<void> => {
  const stat = statReader();
  const isGone = (): boolean => {
    try {
      return isOver(process, stat(process.pid));
    } catch {
      // A table that cannot be read now can be read later.
      return false;
    }
  };
  while (!isGone()) {
    await pause(LOOK_MS, undefined, { ref: false });
    if (isClosed()) return;
  }
  settle(statusOfRemains(process) ?? { tag: 'unknown' });
};
