// The process that requests a child, and its ancestors, as the kernel reports them.

/** The confinement of a process: names and values of facts that the kernel reports. */
export type Confinement = Readonly<Record<string, string>>;

/**
 * One process of the ancestry: the requesting process or one of its ancestors, up to the first process of the
 * machine.
 */
export interface Ancestor {
  readonly pid: number;
  readonly startTicks: number;
  /**
   * The real, effective, saved and file system uid; for the requesting process also the uid of its
   * connection.
   */
  readonly uids: readonly number[];
  /** Absent if the confinement cannot be read. */
  readonly confinement?: Confinement;
}

/** The uids that decide which process may request a child. */
export interface DeclaredUids {
  /** The supervisor's own uid, which is that of a service without `user`. */
  readonly own: number;
  /** The uid of each `user` in a manifest; absent if this machine has no such account. */
  readonly byUser: Readonly<Record<string, number>>;
}

/** The requesting process first, then its ancestors; or why they are not known. */
export type Ancestry =
  | { readonly tag: 'known'; readonly line: readonly Ancestor[]; readonly declared: DeclaredUids }
  | { readonly tag: 'unknown'; readonly detail: string };

/**
 * One fact of confinement with two values: `asks` of the requesting process, `leader` of the run's main
 * process.
 */
export interface ConfinementDifference {
  readonly what: string;
  readonly asks: string;
  readonly leader: string;
}
