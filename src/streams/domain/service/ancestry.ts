// The process that asks for a child and all above it, as the kernel shows them.

/** What confines a process, as the kernel shows it: the name of each fact and its text. */
export type Confinement = Readonly<Record<string, string>>;

/** A process between the one that asks and the first process of the machine. */
export interface Ancestor {
  readonly pid: number;
  readonly startTicks: number;
  /** Real, effective, saved and file system uid; for the process that asks also the uid it connected with. */
  readonly uids: readonly number[];
  /** Absent if it cannot be read. */
  readonly confinement?: Confinement;
}

/** Uids of this machine that decide who may ask. */
export interface DeclaredUids {
  /** The supervisor's own: that of a service without `user`. */
  readonly own: number;
  /** By the `user` of a manifest; absent if this machine has no such account. */
  readonly byUser: Readonly<Record<string, number>>;
}

/** What the kernel shows of the process that asks, itself first; or why it shows nothing. */
export type Ancestry =
  | { readonly tag: 'known'; readonly line: readonly Ancestor[]; readonly declared: DeclaredUids }
  | { readonly tag: 'unknown'; readonly detail: string };

/** A fact in which the process that asks differs from the main process of its run. */
export interface ConfinementDifference {
  readonly what: string;
  readonly asks: string;
  readonly leader: string;
}
