// Which commands on behalf of services are under way in this process, so that they can be handed over, and those that
// were handed over to it until somebody asks for them.
import type { CommandMark, HandedCommand, HandedHook } from '../../../streams/domain/handed.ts';
import type { ExitStatus } from '../../../streams/domain/service/exit.ts';
import type { ProcessRef } from '../../../streams/domain/service/process.ts';

/** One that is under way; what is known of it grows. */
export interface BookEntry {
  readonly key: string;
  readonly mark: CommandMark;
  readonly hook?: HandedHook | undefined;
  /** When its time is up, by a clock that nobody sets. */
  readonly until?: number | undefined;
  /** Absent: it is being started. */
  process?: ProcessRef;
  status?: ExitStatus;
  scratch?: number | undefined;
}

/** One that has a process. */
export type Begun = BookEntry & { process: ProcessRef };

export class CommandBook {
  readonly #open = new Set<BookEntry>();
  readonly #left: Map<string, Begun>;
  readonly #now: () => number;

  constructor(left: readonly HandedCommand[] = [], now = (): number => performance.now()) {
    this.#now = now;
    this.#left = new Map(left.map((command) => [command.key, arrivedAt(now(), command)]));
  }

  /** Enters a command; the returned function strikes it out. */
  begin(entry: BookEntry): () => void {
    this.#open.add(entry);
    return () => void this.#open.delete(entry);
  }

  /** The one that was handed over under this key: it is the caller's from now on. */
  take(key: string | undefined): Begun | undefined {
    const left = key === undefined ? undefined : this.#left.get(key);
    if (left !== undefined) this.#left.delete(left.key);
    return left;
  }

  /** Those that nobody has asked for. */
  left(): readonly Begun[] {
    return [...this.#left.values()];
  }

  /** Whether one is just being started: it cannot be handed over in this moment. */
  isStarting(): boolean {
    return [...this.#open].some(({ process }) => process === undefined);
  }

  /** All that are under way. */
  handed(): readonly HandedCommand[] {
    return [...this.#open, ...this.#left.values()].flatMap((entry) => handedAt(this.#now(), entry));
  }
}

const arrivedAt = (now: number, { left, ...about }: HandedCommand): Begun =>
  left === undefined ? about : { ...about, until: now + left };

const handedAt = (now: number, { process, key, mark, ...more }: BookEntry): readonly HandedCommand[] => {
  if (process === undefined) return [];
  const { hook, until, status, scratch } = more;
  return [
    {
      ...{ key, mark, process },
      ...(hook && { hook }),
      ...(until !== undefined && { left: Math.max(0, until - now) }),
      ...(status && { status }),
      ...(scratch !== undefined && { scratch }),
    },
  ];
};
