// The process table, kept from look to look. Who was there before a leader was born is no descendant of it, and who came
// since the last look has a pid that was given out since: only these and the younger ones are looked at, so that in a table
// of twenty thousand zombies the end of a run costs what it costs in an empty one.
//
// A look that goes on from the last one overlooks nobody: whoever was born since has had a pid that was given since, each of
// which is looked at until none is given any more. One who ended before it was looked at has had its children before.
import { existsSync } from 'node:fs';
import {
  begunSoFar,
  countGiven,
  latestPidReader,
  mayBeAnew,
  mostPids,
  pidsGiven,
} from '../../os/proc/pids-given.ts';
import { processIds } from '../../os/proc/proc.ts';
import type { ProcStat } from '../../os/proc/stat-line.ts';
import { entriesOf, isUndecided, listed, type Look, type LookPorts } from './process-table.ts';
import { indexed, type Entry, type Snapshot } from './snapshot.ts';

interface TablePorts extends LookPorts {
  /** Milliseconds of a clock that nobody sets. */
  readonly now?: () => number;
  readonly latest?: () => number | undefined;
  readonly begun?: () => number | undefined;
  readonly most?: number;
  /** Whether anybody has the pid: a question that costs less than a look. */
  readonly isTaken?: (pid: number) => boolean;
}

export interface StandingTable {
  /** One look for everybody who was born at this tick or later. Never two at a time. */
  look(since: number): Promise<Snapshot>;
}

/** What is known was complete when this was the latest pid. */
interface Mark {
  readonly latest: number;
  readonly at: number;
  /** Only of a table so large that it is worth reading. */
  readonly begun: number | undefined;
}

/** No machine gives out more pids in a millisecond. */
const PIDS_PER_MS = 65;
const LARGE = 1_000;
/** Whoever chose its own pid (CRIU) is seen at the latest after so long, ms. */
const LISTED_EACH_MS = 10_000;
/** Where others begin all the time it takes a few looks at those who came meanwhile. */
const MOST_ROUNDS = 32;
/** A pid is given a moment before anybody is seen to have it: longer than so many ms it never takes. */
const UNSEEN_MS = 100;
/** So many pids are sooner looked at than the table is listed. */
const FEW = 256;

type IsKnown = (pid: number) => boolean;

class Table implements StandingTable {
  readonly #ports: Required<TablePorts>;
  readonly #table = new Map<number, ProcStat>();
  /** Pids that were given and that nobody was seen to have, by when that was first so. */
  #unseen = new Map<number, number>();
  #last: Mark | undefined;
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor(ports: Required<TablePorts>) {
    this.#ports = ports;
  }

  async look(since: number): Promise<Snapshot> {
    const [from, to] = [this.#last, this.#markNow()];
    const trusted = from !== undefined && to !== undefined && !this.#isLapped(from, to);
    const isKnown = trusted ? this.#elders(since, from, to) : () => false;
    const look =
      trusted && this.#isNear(from, to)
        ? await this.#lookOn(from, to, isKnown)
        : await this.#lookAtAll(to, isKnown);
    this.#takeDown(look.entries, isKnown);
    this.#last = to;
    const { marks } = this.#ports;
    marks.retain(this.#table);
    return indexed(look.entries, isUndecided(marks, look), this.#table);
  }

  #markNow(): Mark | undefined {
    const { latest, begun, now } = this.#ports;
    const pid = latest();
    if (pid === undefined) return undefined;
    return { latest: pid, at: now(), begun: this.#table.size > LARGE ? begun() : undefined };
  }

  /** The pids may have come round: then one says nothing. */
  #isLapped(from: Mark, to: Mark): boolean {
    const half = (this.#ports.most - this.#table.size) / 2;
    if ((to.at - from.at) * PIDS_PER_MS <= half) return false;
    return from.begun === undefined || to.begun === undefined || to.begun - from.begun > half;
  }

  #isNear(from: Mark, to: Mark): boolean {
    const few = Math.max(FEW, this.#table.size / 4);
    return (
      to.at - this.#listedAt < LISTED_EACH_MS && countGiven(from.latest, to.latest, this.#ports.most) < few
    );
  }

  /** They are who they were, and older than whoever is looked for. */
  #elders(since: number, from: Mark, to: Mark): IsKnown {
    const isAnew = mayBeAnew(from.latest, to.latest, this.#ports.most);
    return (pid) => {
      const stat = this.#table.get(pid);
      return stat !== undefined && stat.startTicks < since && !isAnew(pid);
    };
  }

  async #lookOn(from: Mark, to: Mark, isKnown: IsKnown): Promise<Look> {
    const { most, latest } = this.#ports;
    const younger = [...this.#table.keys()].filter((pid) => !isKnown(pid));
    const seen = new Set([...younger, ...this.#unseen.keys()]);
    // Where services crash most of those who were there have ended since, as have those who were given a pid lately.
    let waiting: readonly number[] = [...seen].filter(this.#ports.isTaken);
    const entries: Entry[] = [];
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
    }
    return { entries, unsure: true };
  }

  /** Who is not seen is looked for once more, and as long as it may just be beginning. */
  #noteUnseen(looked: readonly number[], found: readonly Entry[], at: number): void {
    const there = new Set(found.map(({ stat }) => stat.pid));
    for (const pid of looked) {
      if (there.has(pid)) this.#unseen.delete(pid);
      else if (!this.#unseen.has(pid) && !this.#table.has(pid)) this.#unseen.set(pid, at);
    }
  }

  /** Those that have been asked for once more, and long enough. */
  #dropUnseen(at: number): void {
    for (const [pid, since] of this.#unseen) if (at - since > UNSEEN_MS) this.#unseen.delete(pid);
  }

  async #lookAtAll(to: Mark | undefined, isKnown: IsKnown): Promise<Look> {
    this.#listedAt = to?.at ?? Number.NEGATIVE_INFINITY;
    this.#unseen.clear();
    // Elders are not looked at, so that nobody else would notice.
    const present = new Set(this.#ports.pids());
    for (const pid of this.#table.keys()) if (!present.has(pid)) this.#table.delete(pid);
    return listed(this.#ports, isKnown);
  }

  /** Who was looked at and not seen is gone. */
  #takeDown(entries: readonly Entry[], isKnown: IsKnown): void {
    for (const pid of this.#table.keys()) if (!isKnown(pid)) this.#table.delete(pid);
    for (const { stat } of entries) this.#table.set(stat.pid, stat);
  }
}

/** What is not given is this machine's. */
export const standingTable = (ports: TablePorts): StandingTable =>
  new Table({
    now: () => performance.now(),
    latest: latestPidReader(),
    begun: begunSoFar,
    pids: processIds,
    most: mostPids(),
    isTaken: (pid) => existsSync(`/proc/${pid}`),
    ...ports,
  });
