// A process beside the supervisor that does nothing but hold the reading ends of all FIFOs: what a service printed that
// died together with the supervisor waits there for the next one, which the kernel would else throw away. It writes
// nothing, so the end of an output is seen as before. It waits for the end of the supervisor (the end of its standard
// input), and reads from then on what nobody keeps (`sink: none`), since a full FIFO would block a service for nothing.
// A process cannot be given descriptors later: when there are new FIFOs, a new keeper takes the place of the old one. It
// holds on to those that nobody reads at that moment, since their service may be between two runs.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, rmSync } from 'node:fs';
import { readAtOnce } from '../../os/files/own-file.ts';
import { overwrite } from '../../os/files/overwrite.ts';
import { startTicksOf } from '../../os/proc/proc-stat.ts';
import { openReaderEnd, type End } from './fifo/fifo-ends.ts';
import type { MakeFifos } from './fifo/fifos.ts';
import { KEEPING } from './fifo/keeper-script.ts';
import { isOrphaned, KEEPER } from './fifo/orphaned-keeper.ts';
import { Telling } from './fifo/telling.ts';

/** A renewal comes this soon, in ms: what is printed before it is lost if service and supervisor die together. */
const SOON = 20;
/** The more a keeper holds, the longer its start takes: for most of the time, by this factor, none is being started. */
const SELDOM = 20;
/** But no later than this, in ms: it takes longer the more the machine has to do, and so does what it is to be in time for. */
const LATE = { few: 40, many: 300 } as const;
/** FIFOs, two a service. */
const FEW = 64;
/** Where the living keeper was told of all, in ms: nothing can be lost, but a shell for each group is more than one for all. */
const TIDY = 500;
/** More than the pids of two take: each record covers all of the one before it. */
const RECORD_BYTES = 128;

/** A FIFO that is read: its reading end. */
export interface Kept extends End {
  readonly fifo: string;
  /** It is to be emptied when the supervisor is gone. */
  readonly unkept: boolean;
}

export interface KeeperPorts {
  readonly dataDir: string;
  readonly pidFile: string;
  /** A FIFO that nobody writes into. Where it is missing the keeper needs more memory. */
  readonly silence: string;
  readonly makeFifos: MakeFifos;
  readonly kept: () => readonly Kept[];
  /** Too few descriptors are left to open any for a moment. */
  readonly isScarce: () => boolean;
}

export class Keeper {
  readonly #ports: KeeperPorts;
  #held: ReadonlySet<string> = new Set();
  /** Paths of what it holds, and whether it is to empty them. */
  #known: ReadonlyMap<string, boolean> = new Map();
  /** The same of those that the next one is to hold, whether or not anybody reads them at that moment. */
  readonly #noted = new Map<string, boolean>();
  #timer: NodeJS.Timeout | undefined;
  /** When it is due, by a clock that nobody sets. */
  #due = Number.POSITIVE_INFINITY;
  /** When the last renewal was over, and what it took, in ms. The first one loads what starts processes, and tells nothing. */
  #last = { at: 0, took: 0 };
  /** The one that was begun here: the record of it may be lost, with its directory or on a full disk. */
  #own: number | undefined;
  readonly #telling = new Telling();
  /** One that a dead supervisor left holds what is not read yet: it goes when all of it is, not when the first service begins. */
  #left: boolean;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
    this.#left = this.wasLeft();
  }

  /** These FIFOs are read from now on; `fresh`: one of them was made just now. */
  note(
    fifos: readonly string[],
    { fresh, unkept }: { readonly fresh: boolean; readonly unkept: boolean },
  ): void {
    if (!fresh && fifos.every((fifo) => this.#known.has(fifo) || this.#noted.has(fifo))) return;
    for (const fifo of fifos) this.#noted.set(fifo, unkept);
    const now = performance.now();
    // Who is told of it holds it, and empties nothing.
    if (!unkept && this.#telling.tell(fifos, now)) this.#renewIn(TIDY, now);
    else this.#renewSoon(now);
  }

  #renewSoon(now: number): void {
    const { at, took } = this.#last;
    const late = this.#known.size < FEW ? LATE.few : LATE.many;
    this.#renewIn(Math.max(Math.min(at + took * SELDOM - now, late), SOON), now);
  }

  /** Unless one is due by then. */
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

  /** The one of a dead supervisor goes when there is another, or nothing to keep. */
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

  /** What it is to hold and nobody reads, opened for it: its service may be between two runs. */
  #unread(read: readonly Kept[]): readonly Kept[] {
    const paths = new Set(read.map(({ fifo }) => fifo));
    return [...new Map([...this.#known, ...this.#noted])].flatMap(([fifo, unkept]) => {
      if (paths.has(fifo) || this.#ports.isScarce()) return [];
      const end = openedOrGone(fifo);
      return end === undefined ? [] : [{ ...end, fifo, unkept }];
    });
  }

  /** Whether it was; there is no need where all of them are held. */
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

  /** Whether one that a dead supervisor left holds what has not been read. */
  wasLeft(): boolean {
    return recorded(this.#ports).length > 0;
  }

  /** In good order: it goes, unless somebody writes still. */
  close(): void {
    this.#cancel();
    if (this.#ports.kept().length > 0) return;
    const last = this.#present();
    this.#own = undefined;
    if (last.length === 0) return;
    last.forEach(end);
    rmSync(this.#ports.pidFile, { force: true });
  }

  /** Makes its files again if they are lost: without its record the next supervisor could not end this one's keeper. */
  mend(): void {
    if (this.#own === undefined) return;
    const { pidFile } = this.#ports;
    if (!recorded(this.#ports).includes(this.#own)) record(pidFile, [this.#own]);
    this.#makeSilence();
  }

  /** Two while one takes the place of the other. */
  #present(): readonly number[] {
    const own = this.#own === undefined ? [] : [this.#own];
    return [...new Set([...own, ...recorded(this.#ports)])];
  }

  #begin(kept: readonly Kept[], before: readonly number[]): boolean {
    const { dataDir, pidFile, silence } = this.#ports;
    this.#makeSilence();
    const unkept = kept.filter((one) => one.unkept).map(({ fifo }) => fifo);
    const child = spawn('/bin/sh', ['-c', KEEPING, `sup-keeper:${dataDir}`, silence, ...unkept], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', ...inOrder(kept)],
      // Whose it is, for whoever looks at the process table.
      env: { PATH: '/usr/bin:/bin', SUP_DATA_DIR: dataDir, [KEEPER]: '1' },
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

  /** Somebody has ended it. */
  #died({ pid }: ChildProcess): void {
    if (this.#own === pid) {
      // Whoever it began goes with it.
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

/** A FIFO that was made anew has the same path. */
const nameOf = ({ fifo, inode }: Kept): string => `${inode} ${fifo}`;

/**
 * None is below its place in the new process then: one that is would have to be kept out of the way on the way there, under a
 * number beyond all others, of which there may be none.
 */
const inOrder = (kept: readonly Kept[]): readonly number[] =>
  kept.map(({ descriptor }) => descriptor).toSorted((a, b) => a - b);

/** Its service may be gone for good. */
const openedOrGone = (fifo: string): End | undefined => {
  try {
    return openReaderEnd(fifo);
  } catch {
    return undefined;
  }
};

/** In place: a file that takes the place of another one may have to wait for the disk, which is not to hold up a renewal. */
const record = (pidFile: string, pids: readonly number[]): void => {
  const lines = pids.map((pid) => `${pid} ${startTicksOf(pid) ?? 0}\n`);
  try {
    overwrite(pidFile, lines.join('').padEnd(RECORD_BYTES, '\n'));
  } catch {
    // A disk that is full does not keep a service from starting; the next supervisor then leaves it alone.
  }
};

/** Those on record who live, or of whose process group somebody does: a leader that was killed leaves whoever it began. */
const recorded = ({ dataDir, pidFile }: Pick<KeeperPorts, 'dataDir' | 'pidFile'>): readonly number[] => {
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

/** All of its process group. */
const end = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It was quicker.
  }
};
