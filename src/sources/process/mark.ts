// The mark in a process's environment: which run of which supervisor it was born into (`SUP_UNIT`, `SUP_SUPERVISOR`).
// By it a descendant is recognised that left its session and lost its ancestors.
import { readFileSync } from 'node:fs';
import type { ProcStat } from './proc-stat.ts';

/** The value of `SUP_UNIT` of a process that carries our `SUP_SUPERVISOR`. */
export type MarkOf = (stat: ProcStat) => string | undefined;

interface Remembered {
  readonly image: string;
  readonly mark: string | undefined;
}

export interface Marks {
  readonly markOf: MarkOf;
  /** Forgets everybody but these. */
  retain(alive: ReadonlyMap<number, unknown>): void;
}

/**
 * Reads each environment once per program image. A process is another image after `exec`, and the kernel then puts
 * its environment at another address: pid, start time and that address together are what a remembered mark is good
 * for. Without the address (a stranger's process, or one in the middle of `exec`) nothing is read or remembered.
 */
export const marks = (dataDir: string): Marks => {
  const remembered = new Map<number, Remembered>();
  return {
    markOf: (stat) => {
      if (stat.environmentAt === '0') return undefined;
      const image = `${stat.startTicks}@${stat.environmentAt}`;
      const known = remembered.get(stat.pid);
      if (known?.image === image) return known.mark;
      const mark = readMark(stat.pid, dataDir);
      remembered.set(stat.pid, { image, mark });
      return mark;
    },
    retain: (alive) => {
      for (const pid of remembered.keys()) if (!alive.has(pid)) remembered.delete(pid);
    },
  };
};

const readMark = (pid: number, dataDir: string): string | undefined => {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return variables.includes(`SUP_SUPERVISOR=${dataDir}`) ? valueOf(variables, 'SUP_UNIT=') : undefined;
  } catch {
    return undefined;
  }
};

const valueOf = (variables: readonly string[], prefix: string): string | undefined =>
  variables.find((variable) => variable.startsWith(prefix))?.slice(prefix.length);
