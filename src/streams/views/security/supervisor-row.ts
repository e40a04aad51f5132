// A row of `sup security` about the supervisor itself: about its program, its files, or settings of Linux.

export interface SupervisorRow {
  /** The id of the row for scripts, unique in a report. */
  readonly id: string;
  /** The checked thing, in a few words. */
  readonly title: string;
  /** The result. `unknown`: the check was not possible, and `detail` says why. */
  readonly verdict: 'ok' | 'open' | 'unknown';
  /** The facts that the check found. */
  readonly detail: string;
  /**
   * The command that closes the check. Absent if the check is not open, or if no single command closes it.
   */
  readonly fix?: string;
}
