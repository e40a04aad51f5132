// The facts that determine how a service is launched: the privileges, the accounts and the machine, all as
// plain values.
import type { Account } from '../domain/account.ts';
import type { IdRange } from './id-ranges.ts';

/** The user and groups that a service declares; a part that is not declared is absent. */
export interface RunsAs {
  readonly account?: Account;
  readonly gid?: number;
  readonly supplementary: readonly number[];
}

export interface HiddenPlaces {
  /** The data directory, and the directory of the control socket if that is elsewhere. */
  readonly places: readonly string[];
  /** True if the launcher's program is in one of the hidden directories. */
  readonly hasLauncher: boolean;
}

export interface LaunchFacts {
  /** True if the supervisor was started with `--sys`, so that it uses its root privileges. */
  readonly privileged: boolean;
  /** The supervisor's own user and groups. */
  readonly uid: number;
  readonly groups: readonly number[];
  readonly runsAs: RunsAs;
  /**
   * The ids for a user namespace in which root has no rights outside; absent if no such namespace is needed.
   */
  readonly inside?: { readonly users: IdRange; readonly groups: IdRange };
  /** The numbers of this machine's CPUs. */
  readonly cpus: readonly number[];
  /** The capabilities that the supervisor has and may pass on. */
  readonly capabilities: readonly number[];
  /** The architecture, which determines the numbers of system calls. */
  readonly architecture: 'x64' | 'arm64' | 'other';
  /** The directories that are hidden from a confined service; absent: none. */
  readonly hidden?: HiddenPlaces;
  /**
   * The path of the cgroup that was created for this run. Absent if the service declares none or it could not
   * be created.
   */
  readonly cgroup?: string;
}
