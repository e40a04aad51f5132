// The running commands on behalf of services. In an upgrade they are handed over to the program that this
// process executes. A command that was handed over to this program is kept here until this program continues
// it.
import type { CommandMark, HandedCommand, HandedHook } from '../../../streams/domain/handed-commands.ts';
import type { ExitStatus } from '../../../streams/domain/service/exit-status.ts';
import type { ProcessRef } from '../../../streams/domain/service/process.ts';

/** A running command. Fields are added as they become known. */
export interface BookEntry {
  readonly key: string;
  readonly mark: CommandMark;
  readonly hook?: HandedHook | undefined;
  /** The deadline of the command, on the monotonic clock; absent: none. */
  readonly until?: number | undefined;
  /** The process of the command; absent while it is being started. */
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

  /** Adds a running command. Returns a function that removes it. */
  begin(entry: BookEntry): () => void {
    this.#open.add(entry);
    return () => void this.#open.delete(entry);
  }

  /** Removes and returns the command that was handed over under this key. The caller must continue it. */
  take(key: string | undefined): Begun | undefined {
    const left = key === undefined ? undefined : this.#left.get(key);
    if (left !== undefined) this.#left.delete(left.key);
    return left;
  }

  /** Returns the commands that were handed over and not taken yet. */
  left(): readonly Begun[] {
    return [...this.#left.values()];
  }

  /** True while a command is being started: it has no process yet, so it cannot be handed over. */
  isStarting(): boolean {
    return [...this.#open].some(({ process }) => process === undefined);
  }

  /** Returns all commands that have a process, to hand them over in an upgrade. */
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
