// Reads the tags of processes. The run tag is `SUP_UNIT` in the environment, which names the run, with
// `SUP_SUPERVISOR`, which names the supervisor of the run. The run tag identifies a descendant that has left
// its session and has no living ancestor. Any process can set it, so on a process of another user it proves
// nothing (`members.ts`). The rlimit tag encodes the run in a resource limit, which descendants inherit.
// Rules: `docs/behaviour.md`, "Children and strays"; `docs/behaviour.md`, "Who belongs to a run".
import { rlimitTagOf } from '../../os/children/rlimit-tag.ts';
import { environmentOf, type UserIds, userIdsOf } from '../../os/proc/process-facts.ts';
import { isMark } from '../../streams/env/run-tag.ts';
import type { ProcStat } from '../../os/proc/process-stat.ts';
import { claimIn } from './nested-supervisors.ts';

/** Reads one tag of a process; `undefined` if the process has no such tag. */
type MarkOf = (stat: ProcStat) => string | undefined;

interface Remembered {
  readonly image: string;
  readonly startTicks: number;
  readonly mark: string | undefined;
  /** The data directory of another supervisor that the environment of the process names. */
  readonly claim: string | undefined;
}

interface KnownTag {
  readonly image: string;
  readonly startTicks: number;
  readonly rlimitTag: string | undefined;
}

export interface Marks {
  readonly markOf: MarkOf;
  /** Returns the rlimit tag of the process; `members.ts` decides whether it counts. */
  readonly rlimitTagOf: MarkOf;
  /**
   * Returns the data directory of the other supervisor that the environment of the process names; `undefined`
   * if it names none. Reads nothing: `markOf` must have read the process before.
   */
  readonly claimOf: MarkOf;
  /** True if it is known whether the process has a run tag. This is unknown during `exec`, for example. */
  readonly isTold: (stat: ProcStat) => boolean;
  /** Forgets the tags of all processes that are not in `alive`. */
  retain(alive: ReadonlyMap<number, unknown>): void;
}

interface MarksPorts {
  /** The uid of this program. A test of the privileged supervisor sets another uid. */
  readonly uid?: number;
  readonly userIds?: (pid: number) => UserIds | undefined;
}

/**
 * Creates a reader of tags. It reads the environment of a process once for each program that the process
 * executes. `exec` puts the environment at another address, so a tag is remembered by pid, start time and
 * address. If the address is missing, or if the environment is empty at the first read (during `exec`), the
 * earlier tag is kept.
 *
 * A privileged supervisor never reads the environment of another user's process: the memory of the process
 * may be on a FUSE file system that never answers. Such a process is recognised by its rlimit tag, which the
 * kernel keeps.
 */
export const marks = (dataDir: string, ports: MarksPorts = {}): Marks => new KnownMarks(dataDir, ports);

class KnownMarks implements Marks {
  readonly #dataDir: string;
  readonly #ports: Required<MarksPorts>;
  readonly #remembered = new Map<number, Remembered>();
  readonly #births = new Map<number, KnownTag>();
  /** For each process that had an empty environment at the last read: its program image at that time. */
  readonly #bare = new Map<number, string>();

  constructor(dataDir: string, ports: MarksPorts) {
    this.#dataDir = dataDir;
    this.#ports = { uid: process.getuid?.() ?? 0, userIds: userIdsOf, ...ports };
  }

  markOf(stat: ProcStat): string | undefined {
    if (!isReadable(stat)) return this.#known(stat)?.mark;
    const image = imageOf(stat);
    const known = this.#remembered.get(stat.pid);
    if (known?.image === image) return known.mark;
    return this.#read(stat, image);
  }

  #read(stat: ProcStat, image: string): string | undefined {
    const { pid, startTicks } = stat;
    const environment = this.#isOwn(pid) ? environmentOf(pid) : FOREIGN;
    if (environment.length === 0 && this.#bare.get(pid) !== image) {
      this.#bare.set(pid, image);
      return this.#known(stat)?.mark;
    }
    const mark = markIn(environment, this.#dataDir);
    const claim = claimIn(environment, this.#dataDir);
    this.#remembered.set(pid, { image, startTicks, mark, claim });
    return mark;
  }

  rlimitTagOf(stat: ProcStat): string | undefined {
    const known = this.#births.get(stat.pid);
    const { pid, startTicks } = stat;
    const isKnown = known?.startTicks === startTicks;
    // A process that is forked from the template of the launchers gets its rlimit tag only after the fork. So
    // a tag is remembered forever, but the absence of a tag only until the process executes another program.
    if (isKnown && (known.rlimitTag !== undefined || known.image === imageOf(stat))) return known.rlimitTag;
    const rlimitTag = rlimitTagOf(pid);
    this.#births.set(pid, { image: imageOf(stat), startTicks, rlimitTag });
    return rlimitTag;
  }

  claimOf(stat: ProcStat): string | undefined {
    return this.#known(stat)?.claim;
  }

  isTold(stat: ProcStat): boolean {
    return this.#known(stat) !== undefined;
  }

  retain(alive: ReadonlyMap<number, unknown>): void {
    for (const known of [this.#remembered, this.#births, this.#bare])
      for (const pid of known.keys()) if (!alive.has(pid)) known.delete(pid);
  }

  /** Returns the last result for this process, even if the process has executed another program since. */
  #known({ pid, startTicks }: ProcStat): Remembered | undefined {
    const known = this.#remembered.get(pid);
    return known?.startTicks === startTicks ? known : undefined;
  }

  /**
   * True if the environment of the process may be read. If this program runs as root, it checks the user of
   * the process itself; otherwise the kernel does that.
   */
  #isOwn(pid: number): boolean {
    const { uid, userIds } = this.#ports;
    if (uid !== ROOT) return true;
    const ids = userIds(pid);
    return ids?.real === uid && ids.effective === uid;
  }
}

const ROOT = 0;
/** The value used as the environment of another user's process, which is not read. */
const FOREIGN: readonly string[] = [''];

const imageOf = ({ startTicks, environmentAt }: ProcStat): string => `${startTicks}@${environmentAt}`;

/**
 * True if the environment can be read. The address of the environment is 0 after the main thread of a process
 * has exited (`isHeadless`), but the environment can still be read.
 */
const isReadable = ({ environmentAt, isHeadless }: ProcStat): boolean =>
  environmentAt !== '0' || isHeadless === true;

const markIn = (variables: readonly string[], dataDir: string): string | undefined => {
  if (!variables.includes(`SUP_SUPERVISOR=${dataDir}`)) return undefined;
  const mark = variables.find((variable) => variable.startsWith(UNIT))?.slice(UNIT.length);
  return mark !== undefined && isMark(mark) ? mark : undefined;
};

const UNIT = 'SUP_UNIT=';
