// A line of `/proc/<pid>/stat`: only the fields of its identity, parent, group and session.

export interface ProcStat {
  readonly pid: number;
  /** Ended and not reaped yet: not alive. */
  readonly zombie: boolean;
  /**
   * Its first thread has ended and others go on. It is alive, but the kernel shows only what those threads
   * have.
   */
  readonly isHeadless?: true;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTicks: number;
  /** A thread of a process with another pid, which a listing of `/proc` does not show. */
  readonly isThread?: true;
  /** The address of its environment: it changes with each `exec`, and is 0 if we may not read it. */
  readonly environmentAt: string;
}

/** Reads fields of a line in ascending order. Eight of fifty are needed, so the line is not split. */
class Fields {
  readonly #line: string;
  #number = 3;
  #at: number;

  /** The name in parentheses may contain spaces and parentheses: field 3 follows the last of them. */
  constructor(line: string) {
    this.#line = line;
    this.#at = line.lastIndexOf(')') + 2;
  }

  /**
   * `number`: as in proc_pid_stat(5), not lower than in the previous call. Empty beyond the end of the line.
   */
  text(number: number): string {
    for (; this.#number < number; this.#number += 1) this.#at = this.#after(this.#at);
    return this.#line.slice(this.#at, Math.max(this.#at, this.#after(this.#at) - 1));
  }

  number(number: number): number {
    return Number(this.text(number));
  }

  /** Where the field after the one at `at` begins. */
  #after(at: number): number {
    const space = this.#line.indexOf(' ', at);
    return space === -1 ? this.#line.length + 1 : space + 1;
  }
}

export const parseStat = (pid: number, line: string): ProcStat => {
  const fields = new Fields(line);
  const state = fields.text(3);
  const hasEnded = state === 'Z' || state === 'X';
  const [parent, group, session] = [fields.number(4), fields.number(5), fields.number(6)];
  const isHeadless = hasEnded && fields.number(20) > 1;
  const startTicks = fields.number(22);
  // The end of a thread sends no signal.
  const isThread = fields.text(38) === '-1';
  const environmentAt = fields.text(50) || '0';
  const stat = { pid, zombie: hasEnded && !isHeadless, parent, group, session, startTicks, environmentAt };
  return isHeadless || isThread ? withOddities(stat, { isHeadless, isThread }) : stat;
};

const withOddities = (
  stat: ProcStat,
  { isHeadless, isThread }: { readonly isHeadless: boolean; readonly isThread: boolean },
): ProcStat => ({ ...stat, ...(isHeadless && { isHeadless }), ...(isThread && { isThread }) });
