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
  /** Joins the cgroup through this file. Child processes that start later are in the cgroup too. */
  | { readonly tag: 'cgroup'; readonly procs: string }
  /** Sets a resource limit. `atLeast`: the limit is only raised, because another launcher follows. */
  | {
      readonly tag: 'limit';
      readonly resource: 'nofile' | 'nproc' | 'memlock' | 'core' | 'stack' | 'fsize' | 'cpu' | 'data';
      readonly value: Limit;
      readonly atLeast: boolean;
    }
  | { readonly tag: 'nice'; readonly value: number }
  | { readonly tag: 'oom-score'; readonly value: number }
  | { readonly tag: 'cpus'; readonly cpus: readonly number[] }
  /** Creates a namespace. If `of` is present, joins the namespace of this process instead. */
  | { readonly tag: 'namespace'; readonly kind: 'network' | 'mount' | 'pid'; readonly of?: ProcessRef }
  /** Makes the directories in `places` look empty, in a mount namespace. The paths in `kept` stay visible. */
  | { readonly tag: 'hide'; readonly places: readonly string[]; readonly kept: readonly string[] }
  /**
   * Mounts the files below `place` in a mount namespace, for `owner` only. `sys`: true if the launcher reads
   * the sources as root.
   */
  | {
      readonly tag: 'credentials';
      readonly place: string;
      readonly files: readonly { readonly name: string; readonly file: string }[];
      readonly owner?: { readonly uid: number; readonly gid: number };
      readonly sys: boolean;
    }
  /**
   * Applies `isolation.protect` in a mount namespace. The paths in `writable` stay writable, those in `kept`
   * stay visible.
   */
  | {
      readonly tag: 'protect';
      readonly parts: ProtectSpec;
      readonly writable: readonly string[];
      readonly kept: readonly string[];
    }
  | { readonly tag: 'groups'; readonly gids: readonly number[] }
  | { readonly tag: 'group'; readonly gid: number }
  /** Changes the user. `keep`: the process keeps its capabilities, and a later step drops some of them. */
  | { readonly tag: 'user'; readonly uid: number; readonly keep: boolean }
  | { readonly tag: 'capabilities'; readonly keep: readonly number[] }
  | { readonly tag: 'directory'; readonly path: string }
  | { readonly tag: 'umask'; readonly mask: number }
  | { readonly tag: 'no-new-privileges' }
  /**
   * Restricts access to files and ports with Landlock. An absent part is not restricted. `isDomain`: a
   * Landlock domain is created in any case, in which no device can be made and no process outside can be
   * traced.
   */
  | {
      readonly tag: 'landlock';
      readonly files?: LandlockFiles;
      readonly ports?: PortsSpec;
      readonly isDomain?: true;
    }
  | { readonly tag: 'seccomp'; readonly filter: readonly Instruction[] }
  /** Becomes root of the user namespace, with only the capabilities that an exec would leave. */
  | { readonly tag: 'inner-root'; readonly group: boolean }
  /**
   * Enters a user namespace. This is the last step of a launcher, and another launcher continues inside.
   * Without `maps` the launcher maps its own ids.
   */
  | { readonly tag: 'user-namespace'; readonly become: 'root' | 'itself'; readonly maps?: IdMaps };

export type StepTag = LaunchStep['tag'];

/** A step and its manifest key. It is skipped if the kernel refuses it with an error in `mayRefuse`. */
export type PlannedStep = LaunchStep & { readonly key: string; readonly mayRefuse: readonly string[] };

/** The steps of one launcher. After them it executes the program or the next launcher. */
export type LaunchStage = readonly PlannedStep[];

/** True if child processes that start later are in a new pid namespace. */
export const makesPidNamespace = (step: LaunchStep): boolean =>
  step.tag === 'namespace' && step.kind === 'pid' && step.of === undefined;

/** The instructions for one launcher. If they have no program, another launcher follows. */
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
   * The launcher waits for more instructions. `inside`: true if it is in a user namespace that has no id maps
   * yet.
   */
  | { readonly tag: 'next'; readonly inside: boolean }
  /**
   * Another process continues the launch: the first process in a new pid namespace. `pid`: its pid outside.
   */
  | { readonly tag: 'moved'; readonly pid: number }
  /** The kernel refused a step, so the program was not executed. */
  | { readonly tag: 'refused'; readonly step: StepTag; readonly key: string; readonly detail: string }
  /** The launcher cannot make system calls, so it has applied no step. */
  | { readonly tag: 'helpless'; readonly detail: string }
  /** The launcher now executes the program. A launcher that ends without this message has failed. */
  | { readonly tag: 'going' }
  /** The program could not be executed. `code`: the name of the errno. */
  | { readonly tag: 'no-program'; readonly code: string };
