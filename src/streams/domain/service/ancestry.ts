// The process that requests a child of a service, and its ancestors, as the kernel reports them.

/** What the kernel reports of a process's confinement, such as its namespaces, by name. */
export type Confinement = Readonly<Record<string, string>>;

/** A process of the ancestry: the requesting one, or an ancestor up to pid 1. */
export interface Ancestor {
  readonly pid: number;
  readonly startTicks: number;
  /** Real, effective, saved and file system uid; for the requesting process also that of its connection. */
  readonly uids: readonly number[];
  /** What confines the process; absent if the supervisor may not read it. */
  readonly confinement?: Confinement;
}

/** The uids that decide whether a process may request a child. */
export interface DeclaredUids {
  /** The uid of the supervisor, which services without `user` have too. */
  readonly own: number;
  /** By the account in a manifest's `user`; absent for accounts that do not exist. */
  readonly byUser: Readonly<Record<string, number>>;
}

/** The requesting process, then its ancestors; or why they are unknown. */
export type Ancestry =
  | { readonly tag: 'known'; readonly line: readonly Ancestor[]; readonly declared: DeclaredUids }
  | { readonly tag: 'unknown'; readonly detail: string };

/** A difference between the requesting process (`asks`) and the main process of the run (`leader`). */
export interface ConfinementDifference {
  readonly what: string;
  readonly asks: string;
  readonly leader: string;
}
