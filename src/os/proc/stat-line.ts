// A line of `/proc/<pid>/stat`: only the fields that tell who it is and whom it belongs to.

export interface ProcStat {
  readonly pid: number;
  /** Ended and not collected yet: not alive. */
  readonly zombie: boolean;
  /** Its first thread has ended and others go on: alive, but the kernel tells of it only what those have. */
  readonly isHeadless?: true;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTicks: number;
  /** Of a process that has its own pid: not to be found by listing. */
  readonly isThread?: true;
  /** Where its environment lies: another address after each `exec`, 0 where we may not know. */
  readonly environmentAt: string;
}

/** The name in parentheses may hold spaces and parentheses: field 3 follows the last of them. */
export const parseStat = (pid: number, line: string): ProcStat => {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  const hasEnded = fields[0] === 'Z' || fields[0] === 'X';
  const isHeadless = hasEnded && field(20) > 1;
  return {
    pid,
    zombie: hasEnded && !isHeadless,
    ...(isHeadless && { isHeadless }),
    parent: field(4),
    group: field(5),
    session: field(6),
    startTicks: field(22),
    environmentAt: fields[50 - 3] ?? '0',
    // No signal tells anybody of the end of a thread.
    ...(fields[38 - 3] === '-1' && { isThread: true }),
  };
};
