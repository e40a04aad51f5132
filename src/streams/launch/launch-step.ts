// The steps that a process applies to itself between fork and exec, and the messages between the supervisor
// and the launcher. Steps have only numbers and paths, so that the launcher need not look up names.
import type { Limit, PortsSpec, ProtectSpec } from '../domain/declared/spec.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import type { Skipped } from '../domain/service/service-run.ts';
import type { IdMaps } from './id-ranges.ts';
import type { Instruction } from './seccomp/bpf.ts';

/** The access that a Landlock rule grants to a path and to everything below the path. */
export type FileAccess = 'read' | 'write' | 'execute';

export interface LandlockRule {
  readonly path: string;
  readonly grant: FileAccess;
  /** The manifest key that names the path. */
  readonly key: string;
}

export interface LandlockFiles {
  readonly rules: readonly LandlockRule[];
  readonly guardsExecution: boolean;
}

export type LaunchStep =
  /** Makes this terminal the controlling terminal of the process. */
  | { readonly tag: 'terminal'; readonly descriptor: number }
  /** Joins a cgroup. `procs`: the path of its file `cgroup.procs`. Later child processes join it too. */
  | { readonly tag: 'cgroup'; readonly procs: string }
  /**
   * Sets a resource limit. `atLeast`: true to raise the hard limit if it is lower, and to change nothing
   * else.
   */
  | {
      readonly tag: 'limit';
      readonly resource: 'nofile' | 'nproc' | 'memlock' | 'core' | 'stack' | 'fsize' | 'cpu' | 'data';
      readonly value: Limit;
      readonly atLeast: boolean;
    }
  | { readonly tag: 'nice'; readonly value: number }
  | { readonly tag: 'oom-score'; readonly value: number }
  | { readonly tag: 'cpus'; readonly cpus: readonly number[] }
  /** Creates a namespace. If `of` is present, joins the namespace of the process `of` instead. */
  | { readonly tag: 'namespace'; readonly kind: 'network' | 'mount' | 'pid'; readonly of?: ProcessRef }
  /** Makes the directories in `places` look empty, in a mount namespace. The paths in `kept` stay visible. */
  | { readonly tag: 'hide'; readonly places: readonly string[]; readonly kept: readonly string[] }
  /**
   * Mounts copies of the files at `place` in a mount namespace. Only `owner` can read the copies. `sys`: true
   * if the launcher reads the files as root.
   */
  | {
      readonly tag: 'credentials';
      readonly place: string;
      readonly files: readonly { readonly name: string; readonly file: string }[];
      readonly owner?: { readonly uid: number; readonly gid: number };
      readonly sys: boolean;
    }
  /**
   * Applies `isolation.protect` in a mount namespace. The paths in `writable` stay writable. The paths in
   * `kept` stay visible.
   */
  | {
      readonly tag: 'protect';
      readonly parts: ProtectSpec;
      readonly writable: readonly string[];
      readonly kept: readonly string[];
    }
  | { readonly tag: 'groups'; readonly gids: readonly number[] }
  | { readonly tag: 'group'; readonly gid: number }
  /** Changes the user. `keep`: true to keep all capabilities. A later step then drops some of them. */
  | { readonly tag: 'user'; readonly uid: number; readonly keep: boolean }
  | { readonly tag: 'capabilities'; readonly keep: readonly number[] }
  | { readonly tag: 'directory'; readonly path: string }
  | { readonly tag: 'umask'; readonly mask: number }
  | { readonly tag: 'no-new-privileges' }
  /**
   * Restricts access to files and ports with Landlock. If `files` or `ports` is absent, it is not restricted.
   * `isDomain`: true to create a Landlock domain even if both are absent. A process in this domain cannot
   * create devices or trace processes outside.
   */
  | {
      readonly tag: 'landlock';
      readonly files?: LandlockFiles;
      readonly ports?: PortsSpec;
      readonly isDomain?: true;
    }
  | { readonly tag: 'seccomp'; readonly filter: readonly Instruction[] }
  /** Becomes root of the user namespace. `group`: true to change to the group root too. */
  | { readonly tag: 'inner-root'; readonly group: boolean }
  /**
   * Enters a user namespace. This is the last step of the outer launcher. The inner launcher continues in the
   * namespace. `maps`: the id maps. Without them, the launcher maps only its own uid and gid.
   */
  | { readonly tag: 'user-namespace'; readonly become: 'root' | 'itself'; readonly maps?: IdMaps };

export type StepTag = LaunchStep['tag'];

/** A step and its manifest key. The step is skipped if Linux refuses it with an error in `mayRefuse`. */
export type PlannedStep = LaunchStep & { readonly key: string; readonly mayRefuse: readonly string[] };

/** The steps of one launcher. After the last step, the launcher executes the program or the next launcher. */
export type LaunchStage = readonly PlannedStep[];

/** True if child processes that start later are in a new pid namespace. */
export const makesPidNamespace = (step: LaunchStep): boolean =>
  step.tag === 'namespace' && step.kind === 'pid' && step.of === undefined;

/** The instructions for one launcher. Without a `program`, another launcher follows. */
export interface LaunchOrder {
  readonly steps: LaunchStage;
  readonly program?: LaunchedProgram;
}

export interface LaunchedProgram {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The messages that a launcher sends to the supervisor. */
export type LaunchReport =
  | ({ readonly tag: 'skipped' } & Skipped)
  /**
   * The launcher waits for more instructions. `inside`: true if the launcher is in a user namespace that has
   * no id maps yet.
   */
  | { readonly tag: 'next'; readonly inside: boolean }
  /**
   * The first process of a new pid namespace continues the launch. `pid`: its pid outside of this namespace.
   */
  | { readonly tag: 'moved'; readonly pid: number }
  /** Linux refused a step, so the program was not executed. */
  | { readonly tag: 'refused'; readonly step: StepTag; readonly key: string; readonly detail: string }
  /** The launcher cannot make system calls, so it has applied no step. */
  | { readonly tag: 'helpless'; readonly detail: string }
  /** The launcher now executes the program. A launcher that ends without this message has failed. */
  | { readonly tag: 'going' }
  /** The program could not be executed. `code`: the name of the errno. */
  | { readonly tag: 'no-program'; readonly code: string };
