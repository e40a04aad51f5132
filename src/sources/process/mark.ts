// The mark in a process's environment: which run of which supervisor it was born into (`SUP_UNIT`, `SUP_SUPERVISOR`).
// By it a descendant is recognised that left its session and lost its ancestors.
import { environmentOf } from '../../os/proc/proc.ts';
import { runId, type RunId, type ServiceId } from '../../streams/domain/ids.ts';
import type { ProcStat } from '../../os/proc/proc-stat.ts';

/** The value of `SUP_UNIT` of a process that carries our `SUP_SUPERVISOR`. */
type MarkOf = (stat: ProcStat) => string | undefined;

interface Remembered {
  readonly image: string;
  readonly startTicks: number;
  readonly mark: string | undefined;
}

export interface Marks {
  readonly markOf: MarkOf;
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
  return {
    markOf: (stat) => {
      const known = remembered.get(stat.pid);
      if (stat.environmentAt === '0') return known?.startTicks === stat.startTicks ? known.mark : undefined;
      const image = `${stat.startTicks}@${stat.environmentAt}`;
      if (known?.image === image) return known.mark;
      const environment = environmentOf(stat.pid);
      const mark = markIn(environment, dataDir);
      // An empty one may be an environment that `exec` has not written yet.
      if (environment.length > 0) remembered.set(stat.pid, { image, startTicks: stat.startTicks, mark });
      return mark;
    },
    isTold: ({ pid, startTicks }) => remembered.get(pid)?.startTicks === startTicks,
    retain: (alive) => {
      for (const pid of remembered.keys()) if (!alive.has(pid)) remembered.delete(pid);
    },
  };
};

const markIn = (variables: readonly string[], dataDir: string): string | undefined => {
  if (!variables.includes(`SUP_SUPERVISOR=${dataDir}`)) return undefined;
  return variables.find((variable) => variable.startsWith(UNIT))?.slice(UNIT.length);
};

const UNIT = 'SUP_UNIT=';

/** `shop/web#4`; the marks of the supervisor's own commands begin with `!`. */
const MARK = /^([^!#][^#]*)#(\d+)$/;

/** Which run of which service a mark is about; `undefined` for that of a command. */
export const runOfMark = (mark: string): { readonly service: ServiceId; readonly run: RunId } | undefined => {
  const [, service, run] = MARK.exec(mark) ?? [];
  // The mark was made of a service's id by `unitMark`.
  return service === undefined ? undefined : { service: service as ServiceId, run: runId(Number(run)) };
};
