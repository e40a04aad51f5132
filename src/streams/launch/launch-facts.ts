// The facts that determine how a service is launched: privileges, accounts and the machine, as plain values.
import type { Account } from '../domain/account.ts';
import type { IdRange } from './id-ranges.ts';

/** The user and groups that a service declares. */
export interface RunsAs {
  readonly account?: Account;
  readonly gid?: number;
  readonly supplementary: readonly number[];
}

export interface HiddenPlaces {
  /** The data directory. If the control socket is in another directory, also this directory. */
  readonly places: readonly string[];
  /** Paths that stay visible to every service: the directory of the service socket. */
  readonly kept: readonly string[];
  /** True if the program of the launcher is in one of the hidden directories. */
  readonly hasLauncher: boolean;
}

export interface LaunchFacts {
  /** True if the supervisor was started with `--sys`, and thus uses its root privileges. */
  readonly privileged: boolean;
  /** The user and the groups of the supervisor. */
  readonly uid: number;
  readonly groups: readonly number[];
  readonly runsAs: RunsAs;
  /** The ids of the machine to which the ids of a user namespace are mapped. No account has them. */
  readonly inside?: { readonly users: IdRange; readonly groups: IdRange };
  readonly cpus: readonly number[];
  /** The capabilities that the supervisor has and can pass on. */
  readonly capabilities: readonly number[];
  /** The architecture of the machine. It determines the numbers of system calls. */
  readonly architecture: 'x64' | 'arm64' | 'other';
  /** The directories that are hidden from a confined service. */
  readonly hidden?: HiddenPlaces;
  /** The directory in which a service sees its credentials. */
  readonly credentialsAt: string;
  /** The path of the cgroup that was created for this run. */
  readonly cgroup?: string;
}
