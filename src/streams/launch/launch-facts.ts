// What determines how a service is launched: privileges, accounts and machine, as plain values.
import type { Account } from '../domain/account.ts';
import type { IdRange } from './id-ranges.ts';

/** The user and groups that a service declares. */
export interface RunsAs {
  readonly account?: Account;
  readonly gid?: number;
  readonly supplementary: readonly number[];
}

export interface HiddenPlaces {
  /** The data directory, and that of the control socket if it is elsewhere. */
  readonly places: readonly string[];
  /** Paths that every service sees: the directory of the service socket. */
  readonly kept: readonly string[];
  /** The launcher's program is in one of the hidden directories. */
  readonly hasLauncher: boolean;
}

export interface LaunchFacts {
  /** The supervisor was started with `--sys`, so it uses its root privileges. */
  readonly privileged: boolean;
  /** The supervisor's own user and groups. */
  readonly uid: number;
  readonly groups: readonly number[];
  readonly runsAs: RunsAs;
  /** The ids for a user namespace in which root has no rights outside. */
  readonly inside?: { readonly users: IdRange; readonly groups: IdRange };
  readonly cpus: readonly number[];
  /** Capabilities that the supervisor has and may pass on. */
  readonly capabilities: readonly number[];
  /** The architecture of the machine, which determines the numbers of system calls. */
  readonly architecture: 'x64' | 'arm64' | 'other';
  /** Directories that are hidden from a confined service. */
  readonly hidden?: HiddenPlaces;
  /** The directory where a service sees its credentials. */
  readonly credentialsAt: string;
  /** The path of the cgroup that was created for this run. */
  readonly cgroup?: string;
}
