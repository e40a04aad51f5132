// Reading the logs of several services, with or without a supervisor: what is there, then what comes.
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import { layoutOf } from '../../../streams/wire/layout.ts';
import type { LogEntry } from '../../../streams/wire/log-line.ts';
import { Follower } from './follower.ts';
import { readTail, type TailWanted } from './tail.ts';

/** How often to look whether there is more; ms. Asking costs microseconds, and works where files cannot be watched. */
const LOOK_EVERY = 100;
/** How long to go on with what is there already when it is to end; ms. */
const LAST_LOOK = 1_000;

export interface ServiceEntry extends LogEntry {
  readonly service: ServiceId;
}

interface Log {
  readonly service: ServiceId;
  readonly path: string;
  readonly follower: Follower;
}

/** By time; lines of one service keep their order, and those without a time the place they have there. */
const byTime = (entries: readonly ServiceEntry[]): readonly ServiceEntry[] =>
  entries.toSorted((a, b) => (a.at === '' || b.at === '' || a.at === b.at ? 0 : a.at < b.at ? -1 : 1));

const ofService =
  (service: ServiceId) =>
  (entry: LogEntry): ServiceEntry => ({ ...entry, service });

export class LogReader {
  readonly #logs: readonly Log[];
  readonly #wanted: TailWanted;

  private constructor(logs: readonly Log[], wanted: TailWanted) {
    this.#logs = logs;
    this.#wanted = wanted;
  }

  /** Fixes the present end of each log: `tail` reads up to it, `follow` from it. */
  static async open(dataDir: string, services: readonly ServiceId[], wanted: TailWanted): Promise<LogReader> {
    const { log } = layoutOf(dataDir);
    const openLog = async (service: ServiceId): Promise<Log> => ({
      service,
      path: log(service),
      follower: await Follower.open(log(service), wanted),
    });
    return new LogReader(await Promise.all(services.map(openLog)), wanted);
  }

  /** The last lines of each service, oldest first. */
  async tail(): Promise<readonly ServiceEntry[]> {
    const tails = this.#logs.map(async ({ service, path, follower }) =>
      (await readTail(path, follower.file, this.#wanted)).map(ofService(service)),
    );
    return byTime((await Promise.all(tails)).flat());
  }

  /** What comes, until `signal`; then what has come by then. */
  async *follow(signal: AbortSignal): AsyncGenerator<readonly ServiceEntry[]> {
    let end = Infinity;
    for (;;) {
      if (signal.aborted) end = Math.min(end, performance.now() + LAST_LOOK);
      const read = await Promise.all(this.#logs.map(({ follower }) => follower.read()));
      yield byTime(this.#logs.flatMap(({ service }, place) => (read[place] ?? []).map(ofService(service))));
      if (performance.now() > end) return;
      if (read.some((entries) => entries !== undefined)) continue;
      if (end < Infinity) return;
      await pause(LOOK_EVERY, undefined, { signal }).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#logs.map(({ follower }) => follower.close()));
  }
}
