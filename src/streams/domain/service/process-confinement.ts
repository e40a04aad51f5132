// What Linux reports about the confinement of a living process (proc_pid_status(5), namespaces(7)). `sup
// security` reads this and compares it with the declaration. The type is in the domain because `src/os/proc`
// uses it.

/** The capability sets of a process (capabilities(7)): bit n is capability n. */
interface CapabilitySets {
  readonly inheritable: bigint;
  readonly permitted: bigint;
  readonly effective: bigint;
  readonly bounding: bigint;
  readonly ambient: bigint;
}

export type NamespaceKind = 'network' | 'mount' | 'pid' | 'user' | 'ipc' | 'uts';

/** A mount that a process sees. A later mount at the same path covers an earlier mount. */
export interface ProcessMount {
  /** The path as the process sees it. */
  readonly path: string;
  /** The type of the file system: `tmpfs`, `ext4`. */
  readonly type: string;
  /** What is mounted: a device, or a name that the mounting program chose. */
  readonly source: string;
  /** True if the mount or its file system is read-only. */
  readonly isReadOnly: boolean;
  /** The options of the mount, then those of its file system, separated by commas. */
  readonly options: string;
}

/** What Linux reports about a living process. An absent field could not be read. */
export interface ProcessConfinement {
  /** Real, effective, saved and file system uid, as the user namespace of `sup security` shows them. */
  readonly uids?: readonly number[];
  /** Real, effective, saved and file system gid. */
  readonly gids?: readonly number[];
  /** The supplementary groups. */
  readonly groups?: readonly number[];
  readonly capabilities?: CapabilitySets;
  readonly noNewPrivs?: boolean;
  /** `filters`: number of seccomp filters; absent before Linux 5.9. */
  readonly seccomp?: { readonly mode: 'off' | 'strict' | 'filter'; readonly filters?: number };
  readonly umask?: number;
  /**
   * For each kind of namespace: true if the namespace of the process differs from that of the supervisor. If
   * no supervisor runs, it is compared with that of `sup security`.
   */
  readonly namespaces?: Readonly<Partial<Record<NamespaceKind, boolean>>>;
  readonly mounts?: readonly ProcessMount[];
  /**
   * The cgroup in the version 2 hierarchy, as the cgroup namespace of `sup security` shows it, such as
   * `/sup/shop`.
   */
  readonly cgroup?: string;
}

/** The source, in the mount table, of the empty file systems with which `sup` covers hidden directories. */
export const HIDDEN_SOURCE = 'sup-hidden';
