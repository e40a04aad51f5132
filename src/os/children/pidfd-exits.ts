// Awaits the end of processes that a dead supervisor started, with their exit status if the kernel or the
// zombie still has it. One pool thread waits for all of them by pidfds. If descriptors become scarce, some
// processes are polled instead.
// Rules: `docs/behaviour.md`, "Adoption"; `docs/behaviour.md`, "Output", "Too few descriptors".
import { setTimeout as pause } from 'node:timers/promises';
import type { ExitStatus } from '../../streams/domain/service/exit-status.ts';
import { type ProcessRef, sameProcess } from '../../streams/domain/service/process.ts';
import type { Libc } from '../libc/libc.ts';
import { DescriptorBudget } from '../descriptor-budget.ts';
import { closeProcess, openProcess, pollOf, toldStatus, statusOfWord } from '../libc/process-ends.ts';
import { isOver, parseStat, statOfProcess, statReader } from '../proc/process-stat.ts';
import { readFileSync, readlinkSync } from 'node:fs';

/** Number of the exit status field in `/proc/<pid>/stat` (proc_pid_stat(5)). */
const EXIT_CODE_FIELD = 52;

/**
 * Returns the exit status of a zombie, if it can be read. In `/proc/<pid>/stat` the status is 0 for a reader
 * that may not trace the process. So a link is read first, which fails without the right to trace.
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
   * Resolves with the exit status when the process ends. Returns `undefined` if the process cannot be
   * awaited: it is gone, descriptors are scarce, or the kernel is older than 5.3.
   */
  readonly endOf: (process: ProcessRef) => Promise<ExitStatus> | undefined;
  readonly close: () => void;
}

interface Watched {
  readonly process: ProcessRef;
  readonly settle: (status: ExitStatus) => void;
}

/** How many pidfds are closed at once when descriptors are scarce. */
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

  /** Closes some pidfds and polls their processes instead. False if no pidfd is open. */
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
        // The descriptor may have been closed and its number reused during the wait.
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
  // Without this listener, Node could not exit while the pool thread waits.
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
 * The maximum number of attempts to read the exit status. They take 5 s in total, because some init programs
 * reap zombies only every 2 s.
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

/** Returns `unknown` if the process was reaped and its status is lost; `undefined` if a retry may help. */
const unknownIfGone = (libc: Libc, descriptor: number, process: ProcessRef): ExitStatus | undefined =>
  statOfProcess(process) === undefined ? (toldStatus(libc, descriptor) ?? { tag: 'unknown' }) : undefined;

const LOOK_MS = 200;

/** Polls a process that has no pidfd until it has ended, then reports its status. */
const lookAfter = async ({ process, settle }: Watched, isClosed: () => boolean): Promise<void> => {
  const stat = statReader();
  const isGone = (): boolean => {
    try {
      return isOver(process, stat(process.pid));
    } catch {
      // The process table could not be read, but it may become readable: try again later.
      return false;
    }
  };
  while (!isGone()) {
    await pause(LOOK_MS, undefined, { ref: false });
    if (isClosed()) return;
  }
  settle(statusOfRemains(process) ?? { tag: 'unknown' });
};
