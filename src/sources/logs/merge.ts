// Merges lines by time. Lines of one log keep their order, even if the clock was set back between them.
// Rules: `docs/behaviour.md`, "Output", "Reading".
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { LogEntry } from '../../streams/wire/log-line.ts';

export interface ServiceEntry extends LogEntry {
  readonly service: ServiceId;
}

/** An entry, with the latest time of its log up to this entry. Entries are sorted by this time. */
interface Sorted {
  readonly entry: ServiceEntry;
  readonly key: string;
}

const withKeys = (entries: readonly ServiceEntry[], before = ''): readonly Sorted[] => {
  let key = before;
  return entries.map((entry) => {
    if (entry.at > key) key = entry.at;
    return { entry, key };
  });
};

const inOrder = (lists: readonly (readonly Sorted[])[]): readonly ServiceEntry[] =>
  lists
    .flat()
    .sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1))
    .map(({ entry }) => entry);

/** Merges lists by time. A line without a time stays after its predecessor. */
export const byTime = (lists: readonly (readonly ServiceEntry[])[]): readonly ServiceEntry[] => {
  const [only, ...more] = lists.filter((list) => list.length > 0);
  if (only !== undefined && more.length === 0) return only;
  return inOrder(lists.map((list) => withKeys(list)));
};

type Source = AsyncGenerator<readonly ServiceEntry[]>;

/** A log that is being merged, with its entries that were read but not yielded yet. */
class Merging {
  readonly #source: Source;
  #waiting: readonly Sorted[] = [];
  #isOver = false;
  #key = '';

  constructor(source: Source) {
    this.#source = source;
  }

  /** Reads the next entries if none are waiting. */
  async fill(): Promise<void> {
    if (this.#isOver || this.#waiting.length > 0) return;
    const next = await this.#source.next();
    this.#isOver = next.done === true;
    this.#waiting = next.done === true ? [] : withKeys(next.value, this.#key);
    this.#key = this.#waiting.at(-1)?.key ?? this.#key;
  }

  /** The time up to which the entries of the log were read; `undefined` if they were read to the end. */
  get known(): string | undefined {
    return this.#isOver ? undefined : this.#key;
  }

  /** Removes the entries up to this time and returns them. */
  upTo(time: string): readonly Sorted[] {
    const end = this.#waiting.findIndex(({ key }) => key > time);
    const taken = end < 0 ? this.#waiting : this.#waiting.slice(0, end);
    this.#waiting = end < 0 ? [] : this.#waiting.slice(end);
    return taken;
  }

  async close(): Promise<void> {
    await this.#source.return(undefined);
  }
}

/**
 * Yields the entries of several logs, merged by time. An entry waits until all logs are read up to its time.
 */
export async function* merged(sources: readonly Source[]): AsyncGenerator<readonly ServiceEntry[]> {
  const [only, ...more] = sources;
  if (only !== undefined && more.length === 0) {
    yield* only;
    return;
  }
  const logs = sources.map((source) => new Merging(source));
  try {
    for (;;) {
      await Promise.all(logs.map((log) => log.fill()));
      const known = logs.flatMap((log) => log.known ?? []);
      if (known.length === 0) return;
      const [first] = known.sort();
      yield inOrder(logs.map((log) => log.upTo(first ?? '')));
    }
  } finally {
    await Promise.all(logs.map((log) => log.close()));
  }
}
