// A process besides the supervisor that only holds the reading ends of all FIFOs. If a service dies together
// with its supervisor, its last output waits there for the next supervisor; the kernel would discard it. The
// holder writes nothing, so the end of an output is seen as before. When the supervisor ends (end of file on
// its standard input), it starts to drain FIFOs without a log (`sink: none`), since a full one would block
// its service. A process cannot receive descriptors later: for new FIFOs a new holder replaces the old one.
// It also holds those not read at that moment, since their service may be between two runs.
// Rules: `docs/behaviour.md`, "Output", "The FIFO holder".
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, rmSync } from 'node:fs';
import { overwrite, readAtOnce } from '../../../os/files/own-file.ts';
import { startTicksOf } from '../../../os/proc/process-stat.ts';
import { openReaderEnd, type End } from './fifo-ends.ts';
import type { MakeFifos } from './fifos.ts';
import { isOrphaned, HOLDER, HolderMessages, HOLDING } from './holder-script.ts';

/** The least delay of a renewal, in ms: output before it is lost if service and supervisor die together. */
const SOON = 20;
/** The more a holder holds, the longer its start takes: the pause between starts is this many times that. */
const SELDOM = 20;
/** The greatest delay, in ms: on a busy machine a start takes longer, but so does what it must precede. */
const LATE = { few: 40, many: 300 } as const;
/** FIFOs, two per service. */
const FEW = 64;
/**
 * Delay in ms if the living holder knows all FIFOs: nothing can be lost, but one shell is cheaper than one
 * per group.
 */
const TIDY = 500;
/** Room for two pids: each record overwrites the whole previous one. */
const RECORD_BYTES = 128;

/** A FIFO that is read, by its reading end. */
export interface Kept extends End {
  readonly fifo: string;
  /** True if it must be drained when the supervisor is gone. */
  readonly unkept: boolean;
}

export interface FifoHolderPorts {
  readonly dataDir: string;
  readonly pidFile: string;
  /** A FIFO without writers. If it is missing the holder needs more memory. */
  readonly silence: string;
  readonly makeFifos: MakeFifos;
  readonly kept: () => readonly Kept[];
  /** True if too few descriptors are left to open any for a moment. */
  readonly isScarce: () => boolean;
}

export class FifoHolder {
  readonly #ports: FifoHolderPorts;
  #held: ReadonlySet<string> = new Set();
  /** Paths of what it holds, and whether it must drain them. */
  #known: ReadonlyMap<string, boolean> = new Map();
  /** The same for those that the next holder must hold, read or not. */
  readonly #noted = new Map<string, boolean>();
  #timer: NodeJS.Timeout | undefined;
  /** When the renewal is due, on the monotonic clock. */
  #due = Number.POSITIVE_INFINITY;
  /**
   * When the last renewal ended, and its duration, in ms. The first one also loads modules and does not
   * count.
   */
  #last = { at: 0, took: 0 };
  /** The holder started here: its record may be lost, with its directory or on a full disk. */
  #own: number | undefined;
  readonly #telling = new HolderMessages();
  /**
   * True while a dead supervisor's holder holds unread output: it goes when all is read, not when the first
   * service starts.
   */
  #left: boolean;

  constructor(ports: FifoHolderPorts) {
    this.#ports = ports;
    this.#left = this.wasLeft();
  }

  /** Notes FIFOs that are read from now on; `fresh`: one of them is new. */
  note(
    fifos: readonly string[],
    { fresh, unkept }: { readonly fresh: boolean; readonly unkept: boolean },
  ): void {
    if (!fresh && fifos.every((fifo) => this.#known.has(fifo) || this.#noted.has(fifo))) return;
    for (const fifo of fifos) this.#noted.set(fifo, unkept);
    const now = performance.now();
    // The living holder holds it once notified, but drains nothing.
    if (!unkept && this.#telling.tell(fifos, now)) this.#renewIn(TIDY, now);
    else this.#renewSoon(now);
  }

  #renewSoon(now: number): void {
    const { at, took } = this.#last;
    const late = this.#known.size < FEW ? LATE.few : LATE.many;
    this.#renewIn(Math.max(Math.min(at + took * SELDOM - now, late), SOON), now);
  }

  /** Schedules a renewal, unless one is due by then. */
  #renewIn(ms: number, now: number): void {
    if (this.#left || this.#due <= now + ms) return;
    this.#cancel();
    this.#due = now + ms;
    this.#timer = setTimeout(() => this.renew(), ms);
    this.#timer.unref();
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#due = Number.POSITIVE_INFINITY;
  }

  /** Replaces the holder. A dead supervisor's holder ends when there is another, or nothing to hold. */
  renew(): void {
    this.#cancel();
    this.#left = false;
    const began = performance.now();
    const isFirst = this.#own === undefined;
    const read = this.#ports.kept();
    const unread = this.#unread(read);
    try {
      if (this.#replace([...read, ...unread]) && !isFirst) {
        const at = performance.now();
        this.#last = { at, took: at - began };
      }
    } finally {
      for (const { descriptor } of unread) closeSync(descriptor);
      this.#noted.clear();
    }
  }

  /** Opens the FIFOs that it must hold and that are not read: their service may be between two runs. */
  #unread(read: readonly Kept[]): readonly Kept[] {
    const paths = new Set(read.map(({ fifo }) => fifo));
    return [...new Map([...this.#known, ...this.#noted])].flatMap(([fifo, unkept]) => {
      if (paths.has(fifo) || this.#ports.isScarce()) return [];
      const end = openedOrGone(fifo);
      return end === undefined ? [] : [{ ...end, fifo, unkept }];
    });
  }

  /** Replaces the holder and returns true; false if it already holds all, or the start failed. */
  #replace(kept: readonly Kept[]): boolean {
    const names = new Set(kept.map(nameOf));
    if ([...names].every((name) => this.#held.has(name)) && (names.size > 0 || this.#held.size > 0))
      return false;
    const before = this.#present();
    if (kept.length > 0 && !this.#begin(kept, before)) return false;
    this.#held = names;
    this.#known = new Map(kept.map(({ fifo, unkept }) => [fifo, unkept]));
    before.forEach(end);
    return true;
  }

  /** True if a dead supervisor's holder holds unread output. */
  wasLeft(): boolean {
    return recorded(this.#ports).length > 0;
  }

  /** Ends the holder, unless a process still writes. */
  close(): void {
    this.#cancel();
    if (this.#ports.kept().length > 0) return;
    const last = this.#present();
    this.#own = undefined;
    if (last.length === 0) return;
    last.forEach(end);
    rmSync(this.#ports.pidFile, { force: true });
  }

  /**
   * Makes its files again if they are lost: without its record the next supervisor could not end this holder.
   */
  mend(): void {
    if (this.#own === undefined) return;
    const { pidFile } = this.#ports;
    if (!recorded(this.#ports).includes(this.#own)) record(pidFile, [this.#own]);
    this.#makeSilence();
  }

  /** The pids of the holders: two while one replaces the other. */
  #present(): readonly number[] {
    const own = this.#own === undefined ? [] : [this.#own];
    return [...new Set([...own, ...recorded(this.#ports)])];
  }

  #begin(kept: readonly Kept[], before: readonly number[]): boolean {
    const { dataDir, pidFile, silence } = this.#ports;
    this.#makeSilence();
    const unkept = kept.filter((one) => one.unkept).map(({ fifo }) => fifo);
    const child = spawn('/bin/sh', ['-c', HOLDING, `sup-keeper:${dataDir}`, silence, ...unkept], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', ...inOrder(kept)],
      // Names its supervisor in the process table.
      env: { PATH: '/usr/bin:/bin', SUP_DATA_DIR: dataDir, [HOLDER]: '1' },
    });
    child.on('error', () => undefined);
    child.stdin?.on('error', () => undefined);
    child.on('exit', () => this.#died(child));
    child.unref();
    if (child.pid === undefined) return false;
    this.#own = child.pid;
    record(pidFile, [child.pid, ...before]);
    child.stdin?.write('recorded\n');
    this.#telling.to(child.stdin ?? undefined);
    return true;
  }

  #makeSilence(): void {
    const { silence, makeFifos } = this.#ports;
    makeFifos([silence]).catch(() => undefined);
  }

  /** Handles the exit of a holder that was killed. */
  #died({ pid }: ChildProcess): void {
    if (this.#own === pid) {
      // Its children are killed with it.
      if (pid !== undefined) end(pid);
      this.#own = undefined;
      this.#telling.to(undefined);
    }
    if (this.wasLeft() || this.#ports.kept().length === 0) return;
    if (pid === undefined || this.#held.size === 0) return;
    this.#held = new Set();
    this.#known = new Map();
    this.#renewSoon(performance.now());
  }
}

/** The key of a FIFO: a new one may have the same path. */
const nameOf = ({ fifo, inode }: Kept): string => `${inode} ${fifo}`;

/**
 * Sorts the descriptors so that none is below its place in the new process. Such a descriptor would first
 * have to be moved to a number above all others, which may not exist.
 */
const inOrder = (kept: readonly Kept[]): readonly number[] =>
  kept.map(({ descriptor }) => descriptor).toSorted((a, b) => a - b);

/** Opens a reading end; `undefined` if the FIFO is gone with its service. */
const openedOrGone = (fifo: string): End | undefined => {
  try {
    return openReaderEnd(fifo);
  } catch {
    return undefined;
  }
};

/** Overwrites the record in place: replacing the file may wait for the disk and delay a renewal. */
const record = (pidFile: string, pids: readonly number[]): void => {
  const lines = pids.map((pid) => `${pid} ${startTicksOf(pid) ?? 0}\n`);
  try {
    overwrite(pidFile, lines.join('').padEnd(RECORD_BYTES, '\n'));
  } catch {
    // A full disk must not prevent a start; the next supervisor then leaves the holder alone.
  }
};

/**
 * Recorded holders that live, or have a living process in their group: a killed leader leaves its children.
 */
const recorded = ({ dataDir, pidFile }: Pick<FifoHolderPorts, 'dataDir' | 'pidFile'>): readonly number[] => {
  try {
    const lines = readAtOnce(pidFile).toString().trim().split('\n');
    return lines.flatMap((line) => {
      const [pid = 0, startTicks = 0] = line.split(' ').map(Number);
      return pid > 1 && (startTicksOf(pid) === startTicks || isOrphaned({ pid, startTicks }, dataDir))
        ? [pid]
        : [];
    });
  } catch {
    return [];
  }
};

/** Kills its whole process group. */
const end = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended first.
  }
};
