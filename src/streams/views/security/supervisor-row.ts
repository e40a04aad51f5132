// A row of `sup security` about the supervisor itself: its program, its files and settings of the kernel.

export interface SupervisorRow {
  /** A word for scripts, unique in a report. */
  readonly id: string;
  /** What was checked, in a few words. */
  readonly title: string;
  /** `unknown`: it could not be found out, and `detail` says why. */
  readonly verdict: 'ok' | 'open' | 'unknown';
  /** What was found. */
  readonly detail: string;
  /** The command that closes it; absent if nothing is open, or no single command does. */
  readonly fix?: string;
}
