// Reads the logs of several services, with or without a running supervisor: first existing lines, then new
// ones.
// Rules: `docs/behaviour.md`, "Output", "Reading".
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceId } from '../../streams/domain/ids.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { ShownPlace } from '../../streams/upgrade/handover.ts';
import { LONGEST_TEXT, stampOf, type LogEntry } from '../../streams/wire/log-line.ts';
import { Follower } from './follower.ts';
import { readPast } from './read-forwards.ts';
import { SIZES } from './log-blocks.ts';
import { byTime, merged, type ServiceEntry } from './merge.ts';
import { readTail, type TailWanted } from './read-backwards.ts';

/**
 * The interval of checks for new lines, ms. A check costs microseconds. Unlike a watch by inotify, it works
 * in every file system.
 */
const LOOK_EVERY = 100;
/** The time without new lines after which the log of a removed service is closed, ms. */
const SILENT_FOR = 60_000;
/** Maximum number of logs that are read at the same time. */
const AT_ONCE = 16;
/** The size of a block, in bytes, if there are more logs than `AT_ONCE`. */
const SMALL_BLOCK = 2 * LONGEST_TEXT;
/** Maximum time that `follow` takes for the remaining lines after its signal has aborted, ms. */
const LAST_LOOK = 1_000;

interface Log {
  readonly service: ServiceId;
  readonly path: string;
  readonly follower: Follower;
  /** Set for a removed service: the time at which new lines were last read from its log. */
  leftSince?: number;
}

const ofService =
  (service: ServiceId) =>
  (entry: LogEntry): ServiceEntry => ({ ...entry, service });

const tailOf = async (
  { service, path, follower }: Log,
  wanted: TailWanted,
): Promise<readonly ServiceEntry[]> => (await readTail(path, follower.file, wanted)).map(ofService(service));

async function* pastOf(
  { service, path, follower }: Log,
  block: number,
  wanted: TailWanted,
): AsyncGenerator<readonly ServiceEntry[]> {
  for await (const entries of readPast({ path, active: follower.file, block }, wanted))
    yield entries.map(ofService(service));
}

const openLog = async (path: string, service: ServiceId, wanted: TailWanted): Promise<Log> => ({
  service,
  path,
  follower: await Follower.open(path, wanted),
});

export class LogReader {
  readonly #dataDir: string;
  readonly #logs: Log[];
  #wanted: TailWanted;
  /** Existing lines of the services that `add` has added. `follow` yields these lines first. */
  readonly #earlier: ServiceEntry[] = [];

  private constructor(dataDir: string, logs: Log[], wanted: TailWanted) {
    this.#dataDir = dataDir;
    this.#logs = logs;
    this.#wanted = wanted;
  }

  /** Remembers the current end of each log: `tail` reads the lines before it, `follow` those after it. */
  static async open(dataDir: string, services: readonly ServiceId[], wanted: TailWanted): Promise<LogReader> {
    const { log } = layoutOf(dataDir);
    const opened = services.map((service) => openLog(log(service), service, wanted));
    return new LogReader(dataDir, await Promise.all(opened), wanted);
  }

  /** Adds a service. `follow` first yields the last existing lines of the service, selected by `wanted`. */
  async add(service: ServiceId, wanted = this.#wanted): Promise<void> {
    const log = await openLog(layoutOf(this.#dataDir).log(service), service, this.#wanted);
    this.#earlier.push(...(await tailOf(log, wanted)));
    this.#logs.push(log);
  }

  /** Adds a service, and reads its log from the position where another reader was. */
  async addAt({ service, ...place }: ShownPlace): Promise<void> {
    const path = layoutOf(this.#dataDir).log(service);
    this.#logs.push({ service, path, follower: await Follower.at(path, this.#wanted, place) });
  }

  /** Marks a service as removed: its log is read to its end, and closed after a minute without new lines. */
  leave(service: ServiceId): void {
    const log = this.#logs.find((one) => one.service === service);
    if (log !== undefined) log.leftSince = performance.now();
  }

  /** Marks a removed service as declared again. False if its log was already closed. */
  keep(service: ServiceId): boolean {
    const log = this.#logs.find((one) => one.service === service);
    delete log?.leftSince;
    return log !== undefined;
  }

  /** The earliest time of the lines that are shown of a service that is added from now on. */
  get since(): string | undefined {
    return this.#wanted.since;
  }

  /** Returns the services with a log that is being read. */
  services(): readonly ServiceId[] {
    return this.#logs.map(({ service }) => service);
  }

  /**
   * Returns the position in each log, except in logs of added services whose first lines `follow` has not
   * yielded yet.
   */
  places(): readonly ShownPlace[] {
    const untold = new Set(this.#earlier.map(({ service }) => service));
    const told = this.#logs.filter(({ service }) => !untold.has(service));
    return told.map(({ service, follower }) => ({ service, ...follower.place }));
  }

  /** Returns the last lines of all services, oldest first; `wanted` limits the lines of each service. */
  async tail(): Promise<readonly ServiceEntry[]> {
    const tails: (readonly ServiceEntry[])[] = [];
    for (let from = 0; from < this.#logs.length; from += AT_ONCE) {
      const some = this.#logs.slice(from, from + AT_ONCE);
      tails.push(...(await Promise.all(some.map((log) => tailOf(log, this.#wanted)))));
    }
    return byTime(tails);
  }

  /** Yields all existing lines, oldest first, some at a time. There is no maximum number as in `tail`. */
  past(): AsyncGenerator<readonly ServiceEntry[]> {
    const block = this.#logs.length > AT_ONCE ? SMALL_BLOCK : SIZES.block;
    return merged(this.#logs.map((log) => pastOf(log, block, this.#wanted)));
  }

  /** Yields new lines until `signal` aborts, then the lines that were written up to that moment. */
  async *follow(signal: AbortSignal): AsyncGenerator<readonly ServiceEntry[]> {
    let end = Infinity;
    for (;;) {
      if (signal.aborted) end = Math.min(end, performance.now() + LAST_LOOK);
      const logs = [...this.#logs];
      const earlier = this.#earlier.splice(0);
      const read = await Promise.all(logs.map(({ follower }) => follower.read()));
      const later = logs.map(({ service }, place) => (read[place] ?? []).map(ofService(service)));
      yield [...earlier, ...byTime(later)];
      await this.#closeSilent(logs.filter((_, place) => read[place] !== undefined));
      if (performance.now() > end) return;
      if (read.some((entries) => entries !== undefined)) continue;
      if (end < Infinity) return;
      await pause(LOOK_EVERY, undefined, { signal }).catch(() => undefined);
    }
  }

  async #closeSilent(read: readonly Log[]): Promise<void> {
    const now = performance.now();
    for (const log of read) if (log.leftSince !== undefined) log.leftSince = now;
    const silent = this.#logs.filter(({ leftSince = Infinity }) => now - leftSince > SILENT_FOR);
    if (silent.length === 0) return;
    for (const log of silent) this.#logs.splice(this.#logs.indexOf(log), 1);
    // A service with a closed log may be added again. Its older lines were already yielded, and are not shown
    // again.
    this.#wanted = { ...this.#wanted, since: stampOf(new Date(Date.now() - SILENT_FOR)) };
    await Promise.all(silent.map(({ follower }) => follower.close()));
  }

  async close(): Promise<void> {
    await Promise.all(this.#logs.map(({ follower }) => follower.close()));
  }
}
