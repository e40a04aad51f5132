// The process that requests a child, and its ancestors, as the kernel reports them.

/** The confinement of a process as the kernel reports it: the name of each fact and its text. */
export type Confinement = Readonly<Record<string, string>>;

/** A process from the requesting one up to the machine's first process. */
export interface Ancestor {
  readonly pid: number;
  readonly startTicks: number;
  /**
   * Real, effective, saved and file system uid; for the requesting process also the uid it connected with.
   */
  readonly uids: readonly number[];
  /** Absent if it cannot be read. */
  readonly confinement?: Confinement;
}

/** The uids of this machine that decide which process may request a child. */
export interface DeclaredUids {
  /** The supervisor's own uid: that of a service without `user`. */
  readonly own: number;
  /** The uid of each `user` in a manifest; absent if this machine has no such account. */
  readonly byUser: Readonly<Record<string, number>>;
}

/** The requesting process first, then its ancestors; or why they are not known. */
export type Ancestry =
  | { readonly tag: 'known'; readonly line: readonly Ancestor[]; readonly declared: DeclaredUids }
  | { readonly tag: 'unknown'; readonly detail: string };

/** A fact in which the requesting process differs from its run's main process. */
export interface ConfinementDifference {
  readonly what: string;
  readonly asks: string;
  readonly leader: string;
}
