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
 * before `exec` goes on being true.
 */
export const marks = (dataDir: string): Marks => {
  const remembered = new Map<number, Remembered>();
  const births = new Map<number, Born>();
  const born = ({ pid, startTicks }: ProcStat): string | undefined => {
    const known = births.get(pid);
    if (known?.startTicks === startTicks) return known.birthmark;
    const birthmark = birthmarkOf(pid);
    births.set(pid, { startTicks, birthmark });
    return birthmark;
  };
  return {
    markOf: (stat) => {
      const known = remembered.get(stat.pid);
      if (stat.environmentAt === '0') return known?.startTicks === stat.startTicks ? known.mark : undefined;
      const image = `${stat.startTicks}@${stat.environmentAt}`;
      if (known?.image === image) return known.mark;
      const environment = environmentOf(stat.pid);
      const mark = markIn(environment, dataDir);
      // An empty one may be an environment that `exec` has not written yet.
      if (environment.length > 0)
        remembered.set(stat.pid, {
          image,
          startTicks: stat.startTicks,
          mark,
          told: tellsOfSome(environment),
        });
      return mark;
    },
    birthmarkOf: (stat) => {
      const known = remembered.get(stat.pid);
      const told = known?.startTicks === stat.startTicks && known.told;
      return told || stat.environmentAt === '0' ? undefined : born(stat);
    },
    isTold: ({ pid, startTicks }) => remembered.get(pid)?.startTicks === startTicks,
    retain: (alive) => {
      for (const known of [remembered, births])
        for (const pid of known.keys()) if (!alive.has(pid)) known.delete(pid);
    },
  };
};

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
