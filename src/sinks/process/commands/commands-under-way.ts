// Records which commands on behalf of services run in this process, so that they can be handed over. Also
// keeps those that were handed over to it and not taken yet.
import type { CommandMark, HandedCommand, HandedHook } from '../../../streams/domain/handed-commands.ts';
import type { ExitStatus } from '../../../streams/domain/service/exit.ts';
import type { ProcessRef } from '../../../streams/domain/service/process.ts';

/** A command that is running; fields are added as they become known. */
export interface BookEntry {
  readonly key: string;
  readonly mark: CommandMark;
  readonly hook?: HandedHook | undefined;
  /** When its time is up, on the monotonic clock. */
  readonly until?: number | undefined;
  /** Absent while it is being started. */
  process?: ProcessRef;
  status?: ExitStatus;
  scratch?: number | undefined;
}

/** A command that has a process. */
export type Begun = BookEntry & { process: ProcessRef };

export class CommandBook {
  readonly #open = new Set<BookEntry>();
  readonly #left: Map<string, Begun>;
  readonly #now: () => number;

  constructor(left: readonly HandedCommand[] = [], now = (): number => performance.now()) {
    this.#now = now;
    this.#left = new Map(left.map((command) => [command.key, arrivedAt(now(), command)]));
  }

  /** Adds a command; the returned function removes it. */
  begin(entry: BookEntry): () => void {
    this.#open.add(entry);
    return () => void this.#open.delete(entry);
  }

  /** Takes the command that was handed over under this key: the caller owns it from now on. */
  take(key: string | undefined): Begun | undefined {
    const left = key === undefined ? undefined : this.#left.get(key);
    if (left !== undefined) this.#left.delete(left.key);
    return left;
  }

  /** Commands that were handed over and not taken yet. */
  left(): readonly Begun[] {
    return [...this.#left.values()];
  }

  /** True if a command is just being started: it cannot be handed over now. */
  isStarting(): boolean {
    return [...this.#open].some(({ process }) => process === undefined);
  }

  /** All running commands, for the next program. */
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
