// What a plan must know of its environment, as values: mode, accounts, machine.
import type { Account } from '../domain/account.ts';
import type { IdRange } from './id-ranges.ts';

/** The identity of a service; each part is present if the manifest names it. */
export interface RunsAs {
  readonly account?: Account;
  readonly gid?: number;
  readonly supplementary: readonly number[];
}

export interface HiddenPlaces {
  /** The data directory, and the directory of the control socket if that is another one. */
  readonly places: readonly string[];
  /** True if the launcher's program lies in one of them. */
  readonly hasLauncher: boolean;
}

export interface LaunchFacts {
  /** `--sys`: a supervisor that is root and was asked to use it. */
  readonly privileged: boolean;
  /** The supervisor's own user and groups. */
  readonly uid: number;
  readonly groups: readonly number[];
  readonly runsAs: RunsAs;
  /** Ids for a user namespace in which root has no rights outside; absent: none are requested. */
  readonly inside?: { readonly users: IdRange; readonly groups: IdRange };
  /** Indices of the CPUs of this machine. */
  readonly cpus: readonly number[];
  /** The capabilities that the supervisor has and may pass on. */
  readonly capabilities: readonly number[];
  /** The architecture, for the names of system calls. */
  readonly architecture: 'x64' | 'arm64' | 'other';
  /** What a confined service must not see; absent: nothing. */
  readonly hidden?: HiddenPlaces;
  /** The cgroup created for this run; absent if none was requested or it failed. */
  readonly cgroup?: string;
}
