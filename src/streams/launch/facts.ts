// What a plan has to know of the world, as values: which mode, which accounts, which machine.
import type { Account } from '../domain/account.ts';
import type { IdRange } from './id-map.ts';

/** Whom a service runs as; each is there when the manifest names it. */
export interface RunsAs {
  readonly account?: Account;
  readonly gid?: number;
  readonly supplementary: readonly number[];
}

export interface HiddenPlaces {
  /** The data directory, and the directory of the control socket if that is another one. */
  readonly places: readonly string[];
  /** The program of the launcher lies in one of them. */
  readonly hasLauncher: boolean;
}

export interface LaunchFacts {
  /** `--sys`: a supervisor that is root and was asked to use it. */
  readonly privileged: boolean;
  /** The supervisor's own user and groups. */
  readonly uid: number;
  readonly groups: readonly number[];
  readonly runsAs: RunsAs;
  /** Users and groups for a user namespace in which root is nothing outside; absent: none are asked for. */
  readonly inside?: { readonly users: IdRange; readonly groups: IdRange };
  /** Indices of the CPUs of this machine. */
  readonly cpus: readonly number[];
  /** The capabilities that the supervisor itself has and may hand on. */
  readonly capabilities: readonly number[];
  /** Names of the system calls of this machine. */
  readonly architecture: 'x64' | 'arm64' | 'other';
  /** What a confined service must not see; absent: there is nothing to hide. */
  readonly hidden?: HiddenPlaces;
  /** The cgroup that was made for this run; absent when none could be, or none was asked for. */
  readonly cgroup?: string;
}
