// Who a pid is at this moment, read from `/proc/<pid>/stat` in one synchronous step, so that nothing comes between
// looking and acting: a pid alone may have passed to a stranger.
import { readFileSync } from 'node:fs';
import type { ProcessRef } from '../../streams/domain/process.ts';

export interface Standing {
  /** Field 22. */
  readonly startTicks: number;
  /** Field 5: the process group. */
  readonly group: number;
}

/** `undefined`: nobody has this pid. */
export const standingOf = (pid: number): Standing | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may itself hold spaces and parentheses: field 3 follows the last of them.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { group: Number(fields[2]), startTicks: Number(fields[19]) };
  } catch {
    return undefined;
  }
};

/** The standing of exactly this process; `undefined` when it is gone or its pid is somebody else's now. */
export const standingOfProcess = (process: ProcessRef): Standing | undefined => {
  const standing = standingOf(process.pid);
  return standing?.startTicks === process.startTicks ? standing : undefined;
};
