// Keeps the process table between scans, so that a scan reads only new processes and those that are younger
// than the leader of the run: all descendants of the leader are younger than the leader. Thus twenty thousand
// zombies do not slow down the end of a run.
//
// An incremental scan misses no process: every pid allocated since the last scan is read, until no new pid is
// allocated. If a process ended before it was read, its children have later pids.
import { existsSync } from 'node:fs';
import {
  begunSoFar,
  countGiven,
  latestPidReader,
  mayBeAnew,
  mostPids,
  pidsGiven,
} from '../../os/proc/allocated-pids.ts';
import { processIds } from '../../os/proc/process-facts.ts';
import type { ProcStat } from '../../os/proc/process-stat.ts';
import {
  entriesOf,
  type ScannedProcess,
  indexed,
  isUndecided,
  listed,
  type ScanPorts,
  type ProcessSnapshot,
  type TableScan,
} from './process-table.ts';

interface TablePorts extends ScanPorts {
  /** Returns milliseconds of a monotonic clock. */
  readonly now?: () => number;
  readonly latest?: () => number | undefined;
  readonly begun?: () => number | undefined;
  readonly most?: number;
  /** True if the pid is in use. This costs less than reading the process. */
  readonly isTaken?: (pid: number) => boolean;
}

export interface KeptTable {
  /** Returns all processes that started at this tick or later. The previous scan must have ended. */
  scan(since: number): Promise<ProcessSnapshot>;
}

/** The latest allocated pid, and the time at which it was read, at the start of a scan. */
interface Mark {
  readonly latest: number;
  readonly at: number;
  /**
   * Number of processes started since boot; `undefined` if the table is so small that the time alone is
   * enough (`#isLapped`).
   */
  readonly begun: number | undefined;
}

/** Maximum number of pids that a machine allocates per millisecond. */
const PIDS_PER_MS = 65;
const LARGE = 1_000;
/**
 * The interval at which all processes are listed, ms. Only a list of all processes shows a process with a pid
 * that its creator chose (CRIU).
 */
const LISTED_EACH_MS = 10_000;
/**
 * The maximum number of rounds of a scan. Each round reads the processes that were started during the
 * previous round. If processes are still started in the last round, the result is `unsure`.
 */
const MOST_ROUNDS = 32;
/**
 * The time after which a scan begins no further round, ms. On a busy machine, every round would find new
 * processes.
 */
const MOST_MS = 250;
/** Maximum time from the allocation of a pid until its process becomes visible, ms. */
const UNSEEN_MS = 100;
/**
 * The maximum number of pids that are read one by one. If there are more, it is faster to list the whole
 * table.
 */
const MOST_SINGLE_READS = 256;

type IsKnown = (pid: number) => boolean;

class Table implements KeptTable {
  readonly #ports: Required<TablePorts>;
  readonly #table = new Map<number, ProcStat>();
  /**
   * Pids that were allocated and have no visible process yet, with the time of the scan that first found no
   * process.
   */
  #unseen = new Map<number, number>();
  #last: Mark | undefined;
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor(ports: Required<TablePorts>) {
    this.#ports = ports;
  }

  async scan(since: number): Promise<ProcessSnapshot> {
    const [from, to] = [this.#last, this.#markNow()];
    const trusted = from !== undefined && to !== undefined && !this.#isLapped(from, to);
    const isKnown = trusted ? this.#elders(since, from, to) : () => false;
    const scan =
      trusted && this.#isNear(from, to)
        ? await this.#scanOn(from, to, isKnown)
        : await this.#scanAll(to, isKnown);
    this.#takeDown(scan.entries, isKnown);
    this.#last = to;
    const { marks } = this.#ports;
    marks.retain(this.#table);
    return indexed(scan.entries, isUndecided(marks, scan), this.#table);
  }

  #markNow(): Mark | undefined {
    const { latest, begun, now } = this.#ports;
    const pid = latest();
    if (pid === undefined) return undefined;
    return { latest: pid, at: now(), begun: this.#table.size > LARGE ? begun() : undefined };
  }

  /** True if so many pids were allocated that the kernel may have started again from the lowest number. */
  #isLapped(from: Mark, to: Mark): boolean {
    const half = (this.#ports.most - this.#table.size) / 2;
    if ((to.at - from.at) * PIDS_PER_MS <= half) return false;
    return from.begun === undefined || to.begun === undefined || to.begun - from.begun > half;
  }

  #isNear(from: Mark, to: Mark): boolean {
    const few = Math.max(MOST_SINGLE_READS, this.#table.size / 4);
    return (
      to.at - this.#listedAt < LISTED_EACH_MS && countGiven(from.latest, to.latest, this.#ports.most) < few
    );
  }

  /**
   * Returns a function that is true for a process that need not be read: it is known and older than `since`,
   * and its pid was not allocated again.
   */
  #elders(since: number, from: Mark, to: Mark): IsKnown {
    const isAnew = mayBeAnew(from.latest, to.latest, this.#ports.most);
    return (pid) => {
      const stat = this.#table.get(pid);
      return stat !== undefined && stat.startTicks < since && !isAnew(pid);
    };
  }

  async #scanOn(from: Mark, to: Mark, isKnown: IsKnown): Promise<TableScan> {
    const { most, latest } = this.#ports;
    const younger = [...this.#table.keys()].filter((pid) => !isKnown(pid));
    const seen = new Set([...younger, ...this.#unseen.keys()]);
    // When services crash, most younger and recently allocated pids are no longer in use. Only pids in use
    // are read.
    let waiting: readonly number[] = [...seen].filter(this.#ports.isTaken);
    const entries: ScannedProcess[] = [];
    this.#dropUnseen(to.at);
    let [before, after]: [number, number | undefined] = [from.latest, to.latest];
    for (let round = 0; round < MOST_ROUNDS && after !== undefined; round += 1) {
      const fresh = pidsGiven(before, after, most).filter((pid) => !seen.has(pid));
      fresh.forEach((pid) => seen.add(pid));
      const found = await entriesOf(this.#ports, [...waiting, ...fresh.filter(this.#ports.isTaken)]);
      entries.push(...found);
      this.#noteUnseen([...waiting, ...fresh], found, to.at);
      waiting = [];
      before = after;
      after = latest();
      if (after === before) return { entries, unsure: false };
      if (this.#ports.now() - to.at >= MOST_MS) break;
    }
    return { entries, unsure: true };
  }

  /**
   * Remembers the scanned pids that have no visible process. They are read again for as long as a process may
   * still appear.
   */
  #noteUnseen(scanned: readonly number[], found: readonly ScannedProcess[], at: number): void {
    const there = new Set(found.map(({ stat }) => stat.pid));
    for (const pid of scanned) {
      if (there.has(pid)) this.#unseen.delete(pid);
      else if (!this.#unseen.has(pid) && !this.#table.has(pid)) this.#unseen.set(pid, at);
    }
  }

  /** Forgets pids without a process that were allocated so long ago that no process will appear. */
  #dropUnseen(at: number): void {
    for (const [pid, since] of this.#unseen) if (at - since > UNSEEN_MS) this.#unseen.delete(pid);
  }

  async #scanAll(to: Mark | undefined, isKnown: IsKnown): Promise<TableScan> {
    this.#listedAt = to?.at ?? Number.NEGATIVE_INFINITY;
    this.#unseen.clear();
    // Known older processes are not read, so only the list of pids shows which of them have exited.
    const present = new Set(this.#ports.pids());
    for (const pid of this.#table.keys()) if (!present.has(pid)) this.#table.delete(pid);
    return listed(this.#ports, isKnown);
  }

  /** Updates the table with a scan's result. A process that was searched for and not found has exited. */
  #takeDown(entries: readonly ScannedProcess[], isKnown: IsKnown): void {
    for (const pid of this.#table.keys()) if (!isKnown(pid)) this.#table.delete(pid);
    for (const { stat } of entries) this.#table.set(stat.pid, stat);
  }
}

/** Creates a table. Ports (functions that read the system) that are not given read this machine. */
export const keptTable = (ports: TablePorts): KeptTable =>
  new Table({
    now: () => performance.now(),
    latest: latestPidReader(),
    begun: begunSoFar,
    pids: processIds,
    most: mostPids(),
    isTaken: (pid) => existsSync(`/proc/${pid}`),
    ...ports,
  });
