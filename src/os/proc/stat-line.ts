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

/** Reads fields of a line from the first to the last that is asked for. Of fifty fields eight are: a line is not split. */
class Fields {
  readonly #line: string;
  #number = 3;
  #at: number;

  /** The name in parentheses may hold spaces and parentheses: field 3 follows the last of them. */
  constructor(line: string) {
    this.#line = line;
    this.#at = line.lastIndexOf(')') + 2;
  }

  /** `number`: as in proc_pid_stat(5), no lower than the last. Empty where the line has ended. */
  text(number: number): string {
    for (; this.#number < number; this.#number += 1) this.#at = this.#after(this.#at);
    return this.#line.slice(this.#at, Math.max(this.#at, this.#after(this.#at) - 1));
  }

  number(number: number): number {
    return Number(this.text(number));
  }

  /** Where the field behind the one at `at` begins. */
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
  // No signal tells anybody of the end of a thread.
  const isThread = fields.text(38) === '-1';
  const environmentAt = fields.text(50) || '0';
  const stat = { pid, zombie: hasEnded && !isHeadless, parent, group, session, startTicks, environmentAt };
  return isHeadless || isThread ? withOddities(stat, { isHeadless, isThread }) : stat;
};

const withOddities = (
  stat: ProcStat,
  { isHeadless, isThread }: { readonly isHeadless: boolean; readonly isThread: boolean },
): ProcStat => ({ ...stat, ...(isHeadless && { isHeadless }), ...(isThread && { isThread }) });
