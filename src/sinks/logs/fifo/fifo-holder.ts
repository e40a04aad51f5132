// The FIFO holder: a separate process that keeps the reading ends of all FIFOs open. If a service dies
// together with its supervisor, its last output stays in the FIFO for the next supervisor. Without the holder
// the kernel would discard this output. The holder does not open FIFOs for writing, so readers still see the
// end of file. When the supervisor ends, the holder gets end of file on its standard input. Then it reads and
// discards the output of services without a log, because such a service would block when its FIFO is full. A
// running process cannot be given descriptors, so a new holder replaces the old holder when there are new
// FIFOs.
// Rules: `docs/behaviour.md`, "Output", "The FIFO holder".
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, rmSync } from 'node:fs';
import { overwrite, readAtOnce } from '../../../os/files/own-file.ts';
import { startTicksOf } from '../../../os/proc/process-stat.ts';
import { openReaderEnd, type End } from './fifo-ends.ts';
import type { MakeFifos } from './make-fifos.ts';
import { isOrphaned, HOLDER, HolderMessages, HOLDING } from './holder-script.ts';

/**
 * The shortest delay before a holder is replaced, ms. If the service and the supervisor both die within this
 * delay, the output in new FIFOs is lost.
 */
const MIN_DELAY_MS = 20;
/** The pause before a replacement is at least this many times as long as the last replacement took. */
const MIN_PAUSE_FACTOR = 20;
/**
 * The longest delay before a holder is replaced, ms, for few and for many FIFOs. A pause by
 * `MIN_PAUSE_FACTOR` ends at the latest after this delay.
 */
const MAX_DELAY_MS = { few: 40, many: 300 } as const;
/** The number of FIFOs from which on the delay `many` applies instead of `few`. A service has two FIFOs. */
const FEW_FIFOS = 64;
/**
 * The delay before a holder is replaced although it holds all FIFOs, ms. It is replaced because a new holder,
 * without subshells, needs less memory.
 */
const TIDY_DELAY_MS = 500;
/**
 * The size of the pid file, bytes: enough for two pids. It is constant, so that a write replaces all of it.
 */
const RECORD_BYTES = 128;

/** A FIFO that is being read, with the supervisor's reading end. */
export interface OpenFifo extends End {
  readonly fifo: string;
  /**
   * True if the service has no log. In this case the holder must discard the output after the supervisor has
   * ended.
   */
  readonly unkept: boolean;
}

export interface FifoHolderPorts {
  readonly dataDir: string;
  readonly pidFile: string;
  /** The path of a FIFO without writers. The shells of the holder wait by reading it, to save memory. */
  readonly silence: string;
  readonly makeFifos: MakeFifos;
  readonly kept: () => readonly OpenFifo[];
  /** True if so few descriptors are free that no more may be opened. */
  readonly isScarce: () => boolean;
}

export class FifoHolder {
  readonly #ports: FifoHolderPorts;
  #held: ReadonlySet<string> = new Set();
  /** The FIFOs that the holder holds. The value is true if the holder discards their content. */
  #known: ReadonlyMap<string, boolean> = new Map();
  /**
   * Further FIFOs that the next holder must hold, even if they are not being read. The value has the same
   * meaning as in `#known`.
   */
  readonly #noted = new Map<string, boolean>();
  #timer: NodeJS.Timeout | undefined;
  /** When the replacement of the holder is due, on the monotonic clock. */
  #due = Number.POSITIVE_INFINITY;
  /**
   * When the last replacement of the holder ended, on the monotonic clock, and how long it took, ms. The
   * first start is no replacement.
   */
  #last = { at: 0, took: 0 };
  /** The pid of the holder that this process started, in case the pid file is lost. */
  #own: number | undefined;
  readonly #telling = new HolderMessages();
  /** True while the holder of a dead supervisor must live, because it holds unread output. */
  #left: boolean;

  constructor(ports: FifoHolderPorts) {
    this.#ports = ports;
    this.#left = this.wasLeft();
  }

  /** Makes the holder hold FIFOs that will be read. `fresh`: true if one of the FIFOs is new. */
  note(
    fifos: readonly string[],
    { fresh, unkept }: { readonly fresh: boolean; readonly unkept: boolean },
  ): void {
    if (!fresh && fifos.every((fifo) => this.#known.has(fifo) || this.#noted.has(fifo))) return;
    for (const fifo of fifos) this.#noted.set(fifo, unkept);
    const now = performance.now();
    // A message can make the running holder hold a FIFO, but cannot make it discard the content of the FIFO.
    if (!unkept && this.#telling.tell(fifos, now)) this.#renewIn(TIDY_DELAY_MS, now);
    else this.#renewSoon(now);
  }

  #renewSoon(now: number): void {
    const { at, took } = this.#last;
    const late = this.#known.size < FEW_FIFOS ? MAX_DELAY_MS.few : MAX_DELAY_MS.many;
    this.#renewIn(Math.max(Math.min(at + took * MIN_PAUSE_FACTOR - now, late), MIN_DELAY_MS), now);
  }

  /** Schedules a replacement in `ms`, unless an earlier replacement is scheduled. */
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

  /** Replaces the holder now. Also ends the holder of a dead supervisor. */
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

  /** Opens FIFOs that must be held although they are not being read: a service may be between two runs. */
  #unread(read: readonly OpenFifo[]): readonly OpenFifo[] {
    const paths = new Set(read.map(({ fifo }) => fifo));
    return [...new Map([...this.#known, ...this.#noted])].flatMap(([fifo, unkept]) => {
      if (paths.has(fifo) || this.#ports.isScarce()) return [];
      const end = openedOrGone(fifo);
      return end === undefined ? [] : [{ ...end, fifo, unkept }];
    });
  }

  /**
   * Starts a new holder and ends the old one. False if the old holder holds all FIFOs, or the start failed.
   */
  #replace(kept: readonly OpenFifo[]): boolean {
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

  /**
   * True if a holder that is recorded on disk is alive. Before this process starts a holder, the recorded
   * holder is that of a dead supervisor.
   */
  wasLeft(): boolean {
    return recorded(this.#ports).length > 0;
  }

  /** Ends the holder, unless output is still being read. */
  close(): void {
    this.#cancel();
    if (this.#ports.kept().length > 0) return;
    const last = this.#present();
    this.#own = undefined;
    if (last.length === 0) return;
    last.forEach(end);
    rmSync(this.#ports.pidFile, { force: true });
  }

  /** Creates deleted files again. Without the pid file, the next supervisor could not end this holder. */
  mend(): void {
    if (this.#own === undefined) return;
    const { pidFile } = this.#ports;
    if (!recorded(this.#ports).includes(this.#own)) record(pidFile, [this.#own]);
    this.#makeSilence();
  }

  /** Returns the pids of the holders: two pids while a new holder replaces the old holder. */
  #present(): readonly number[] {
    const own = this.#own === undefined ? [] : [this.#own];
    return [...new Set([...own, ...recorded(this.#ports)])];
  }

  #begin(kept: readonly OpenFifo[], before: readonly number[]): boolean {
    const { dataDir, pidFile, silence } = this.#ports;
    this.#makeSilence();
    const unkept = kept.filter((one) => one.unkept).map(({ fifo }) => fifo);
    const child = spawn('/bin/sh', ['-c', HOLDING, `sup-keeper:${dataDir}`, silence, ...unkept], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', ...inOrder(kept)],
      // This environment shows, in the process table, to which supervisor the holder belongs.
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

  /** Called when a holder was killed. Starts another holder if there are FIFOs to hold. */
  #died({ pid }: ChildProcess): void {
    if (this.#own === pid) {
      // Kills the process group, because the children of a holder survive its death.
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

/** Returns a key with the inode, because a new FIFO may have the same path. */
const nameOf = ({ fifo, inode }: OpenFifo): string => `${inode} ${fifo}`;

/** Returns the descriptors in ascending order, so that the spawn needs no temporary numbers for them. */
const inOrder = (kept: readonly OpenFifo[]): readonly number[] =>
  kept.map(({ descriptor }) => descriptor).toSorted((a, b) => a - b);

/** Opens a reading end; `undefined` if the FIFO is gone. */
const openedOrGone = (fifo: string): End | undefined => {
  try {
    return openReaderEnd(fifo);
  } catch {
    return undefined;
  }
};

/** Writes the pid file in place, because a replacement by renaming could have to wait for the disk. */
const record = (pidFile: string, pids: readonly number[]): void => {
  const lines = pids.map((pid) => `${pid} ${startTicksOf(pid) ?? 0}\n`);
  try {
    overwrite(pidFile, lines.join('').padEnd(RECORD_BYTES, '\n'));
  } catch {
    // A full disk must not prevent a start. The next supervisor then does not find this holder.
  }
};

/** Returns the pids of recorded holders that are alive, or have a living process in their process group. */
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

const end = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process group has already ended.
  }
};
