// The mark in a process's environment: which run of which supervisor it was born into (`SUP_UNIT`, `SUP_SUPERVISOR`).
// By it a descendant is recognised that left its session and lost its ancestors.
import { birthmarkOf } from '../../os/children/birthmark.ts';
import { environmentOf } from '../../os/proc/proc.ts';
import { runId, type RunId, type ServiceId } from '../../streams/domain/ids.ts';
import type { ProcStat } from '../../os/proc/stat-line.ts';

/** The value of `SUP_UNIT` of a process that carries our `SUP_SUPERVISOR`. */
type MarkOf = (stat: ProcStat) => string | undefined;

interface Remembered {
  readonly image: string;
  readonly startTicks: number;
  readonly mark: string | undefined;
  /** Its environment tells of some supervisor, be it another. */
  readonly told: boolean;
}

interface Born {
  readonly startTicks: number;
  readonly birthmark: string | undefined;
}

export interface Marks {
  readonly markOf: MarkOf;
  /** The mark it was born with; only of one whose environment tells of no supervisor: what that says comes first. */
  readonly birthmarkOf: MarkOf;
  /** Whether it is known if it has one: not while it is in the middle of `exec`, and not of a stranger's process. */
  readonly isTold: (stat: ProcStat) => boolean;
  /** Forgets everybody but these. */
  retain(alive: ReadonlyMap<number, unknown>): void;
}

/**
 * Reads each environment once per program image. A process is another image after `exec`, and the kernel then puts
 * its environment at another address: pid, start time and that address together are what a remembered mark is good
 * for. Without the address (a stranger's process, or one in the middle of `exec`) nothing is read, and what was true
 * before `exec` goes on being true; so it does at the first look at an empty environment, which may be one that `exec` has
 * not written yet.
 */
export const marks = (dataDir: string): Marks => new KnownMarks(dataDir);

class KnownMarks implements Marks {
  readonly #dataDir: string;
  readonly #remembered = new Map<number, Remembered>();
  readonly #births = new Map<number, Born>();
  /** Who was seen with an empty environment, and as which image. */
  readonly #bare = new Map<number, string>();

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  markOf(stat: ProcStat): string | undefined {
    if (!isReadable(stat)) return this.#known(stat)?.mark;
    const image = `${stat.startTicks}@${stat.environmentAt}`;
    const known = this.#remembered.get(stat.pid);
    if (known?.image === image) return known.mark;
    const environment = environmentOf(stat.pid);
    if (environment.length === 0 && this.#bare.get(stat.pid) !== image) {
      this.#bare.set(stat.pid, image);
      return this.#known(stat)?.mark;
    }
    const { startTicks } = stat;
    const mark = markIn(environment, this.#dataDir);
    this.#remembered.set(stat.pid, { image, startTicks, mark, told: tellsOfSome(environment) });
    return mark;
  }

  birthmarkOf(stat: ProcStat): string | undefined {
    if (!isReadable(stat) || this.#known(stat)?.told === true) return undefined;
    return this.#born(stat);
  }

  isTold(stat: ProcStat): boolean {
    return this.#known(stat) !== undefined;
  }

  retain(alive: ReadonlyMap<number, unknown>): void {
    for (const known of [this.#remembered, this.#births, this.#bare])
      for (const pid of known.keys()) if (!alive.has(pid)) known.delete(pid);
  }

  /** What is remembered of this very process, be it of the image before. */
  #known({ pid, startTicks }: ProcStat): Remembered | undefined {
    const known = this.#remembered.get(pid);
    return known?.startTicks === startTicks ? known : undefined;
  }

  #born({ pid, startTicks }: ProcStat): string | undefined {
    const known = this.#births.get(pid);
    if (known?.startTicks === startTicks) return known.birthmark;
    const birthmark = birthmarkOf(pid);
    this.#births.set(pid, { startTicks, birthmark });
    return birthmark;
  }
}

/** Of a headless process no address is told, and it executes nothing before it has a head again. */
const isReadable = ({ environmentAt, isHeadless }: ProcStat): boolean =>
  environmentAt !== '0' || isHeadless === true;

const markIn = (variables: readonly string[], dataDir: string): string | undefined => {
  if (!variables.includes(`SUP_SUPERVISOR=${dataDir}`)) return undefined;
  return variables.find((variable) => variable.startsWith(UNIT))?.slice(UNIT.length);
};

/** A supervisor that a service has started is not of its run, nor are the keeper and the guardian. */
const tellsOfSome = (variables: readonly string[]): boolean =>
  variables.some((one) => one.startsWith('SUP_SUPERVISOR=') || one.startsWith('SUP_DATA_DIR='));

const UNIT = 'SUP_UNIT=';

/** `shop/web#4`; the marks of the supervisor's own commands begin with `!`. */
const MARK = /^([^!#][^#]*)#(\d+)$/;

/** Which run of which service a mark is about; `undefined` for that of a command. */
export const runOfMark = (mark: string): { readonly service: ServiceId; readonly run: RunId } | undefined => {
  const [, service, run] = MARK.exec(mark) ?? [];
  // The mark was made of a service's id by `unitMark`.
  return service === undefined ? undefined : { service: service as ServiceId, run: runId(Number(run)) };
};
