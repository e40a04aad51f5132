// The process that requests a child of a service, and the ancestors of this process, as Linux reports them.

/** What Linux reports about the confinement of a process: texts by names, such as its namespaces. */
export type Confinement = Readonly<Record<string, string>>;

/** One process of an ancestry: the requesting process, or one of its ancestors up to pid 1. */
export interface Ancestor {
  readonly pid: number;
  readonly startTicks: number;
  /**
   * Real, effective, saved and file system uid. For the requesting process also the uid of its connection.
   */
  readonly uids: readonly number[];
  /** The confinement of the process. Absent if the supervisor may not read it. */
  readonly confinement?: Confinement;
}

/** The uids that decide whether a process may request a child. */
export interface DeclaredUids {
  /** The uid of the supervisor, which is also the uid of services without the key `user`. */
  readonly own: number;
  /** The uid of each account that a manifest names in `user`. An account that does not exist has no entry. */
  readonly byUser: Readonly<Record<string, number>>;
}

/** The requesting process, followed by its ancestors; or `detail`: why they are unknown. */
export type Ancestry =
  | { readonly tag: 'known'; readonly line: readonly Ancestor[]; readonly declared: DeclaredUids }
  | { readonly tag: 'unknown'; readonly detail: string };

/** A difference between the requesting process (`asks`) and the main process of the run (`leader`). */
export interface ConfinementDifference {
  readonly what: string;
  readonly asks: string;
  readonly leader: string;
}
