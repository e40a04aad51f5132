// The process that requests a child of a service, and its ancestors, as the kernel reports them.

/**
 * The confinement of a process (such as its namespaces): names and values of facts that the kernel reports.
 */
export type Confinement = Readonly<Record<string, string>>;

/** One process of the ancestry: the process that requests a child, or one of its ancestors up to pid 1. */
export interface Ancestor {
  readonly pid: number;
  readonly startTicks: number;
  /**
   * The real, effective, saved and file system uid. The process that requests a child has also the uid of its
   * connection.
   */
  readonly uids: readonly number[];
  /** Absent if the kernel does not let the supervisor read it. */
  readonly confinement?: Confinement;
}

/** The uids from which the supervisor decides whether a process may request a child. */
export interface DeclaredUids {
  /** The uid of the supervisor, which services without `user` have too. */
  readonly own: number;
  /** The uid of each account that a manifest names in `user`; absent if this machine has no such account. */
  readonly byUser: Readonly<Record<string, number>>;
}

/** The process that requests a child, followed by its ancestors; or why they are not known. */
export type Ancestry =
  | { readonly tag: 'known'; readonly line: readonly Ancestor[]; readonly declared: DeclaredUids }
  | { readonly tag: 'unknown'; readonly detail: string };

/**
 * A fact about confinement that differs between two processes: `asks` is the value for the process that
 * requests a child, `leader` for the main process of the run.
 */
export interface ConfinementDifference {
  readonly what: string;
  readonly asks: string;
  readonly leader: string;
}
