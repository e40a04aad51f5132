// The steps that a process applies to itself between fork and exec of its program, in order, and the messages
// between the supervisor and the launcher that applies them. Steps contain only numbers and paths, so that
// the launcher need not look up names.
import type { Limit, PortsSpec } from '../domain/declared/spec.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import type { Skipped } from '../domain/service/service-run.ts';
import type { IdMaps } from './id-ranges.ts';
import type { Instruction } from './seccomp/bpf.ts';

/** The access that a Landlock rule grants to a path and everything below it. */
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
  /** Makes the terminal at this descriptor the controlling terminal. */
  | { readonly tag: 'terminal'; readonly descriptor: number }
  /** Joins the cgroup by a write to this file, so that every later child process starts inside it. */
  | { readonly tag: 'cgroup'; readonly procs: string }
  /** Sets a resource limit. With `atLeast` the limit is only raised, because another launcher follows. */
  | {
      readonly tag: 'limit';
      readonly resource: 'nofile' | 'nproc' | 'memlock' | 'core';
      readonly value: Limit;
      readonly atLeast: boolean;
    }
  | { readonly tag: 'nice'; readonly value: number }
  | { readonly tag: 'cpus'; readonly cpus: readonly number[] }
  /** Creates a namespace of this kind; with `of`, joins the namespace of that process instead. */
  | { readonly tag: 'namespace'; readonly kind: 'network' | 'mount' | 'pid'; readonly of?: ProcessRef }
  /**
   * Makes the directories in `places` look empty, in a mount namespace of the process. The paths in `kept`,
   * which lie inside these directories, stay visible.
   */
  | { readonly tag: 'hide'; readonly places: readonly string[]; readonly kept: readonly string[] }
  | { readonly tag: 'groups'; readonly gids: readonly number[] }
  | { readonly tag: 'group'; readonly gid: number }
  /** Changes the user. With `keep` the process keeps its capabilities, of which a later step drops some. */
  | { readonly tag: 'user'; readonly uid: number; readonly keep: boolean }
  | { readonly tag: 'capabilities'; readonly keep: readonly number[] }
  | { readonly tag: 'directory'; readonly path: string }
  | { readonly tag: 'umask'; readonly mask: number }
  | { readonly tag: 'no-new-privileges' }
  /**
   * Restricts access to files and ports. If `files` or `ports` is absent, access to these is not restricted.
   */
  | { readonly tag: 'landlock'; readonly files?: LandlockFiles; readonly ports?: PortsSpec }
  | { readonly tag: 'seccomp'; readonly filter: readonly Instruction[] }
  /** Becomes root of the user namespace, with only the capabilities that it would have after an exec. */
  | { readonly tag: 'inner-root'; readonly group: boolean }
  /**
   * Enters a new user namespace, as the last step of a launcher; another launcher applies the remaining steps
   * inside. `maps`: the supervisor writes these id maps. Absent: the launcher maps its own ids.
   */
  | { readonly tag: 'user-namespace'; readonly become: 'root' | 'itself'; readonly maps?: IdMaps };

export type StepTag = LaunchStep['tag'];

/**
 * A step and its manifest key. If the kernel refuses the step with an error in `mayRefuse` (errno names), the
 * step is skipped.
 */
export type PlannedStep = LaunchStep & { readonly key: string; readonly mayRefuse: readonly string[] };

/** The steps that one launcher applies before it executes the program or the next launcher. */
export type LaunchStage = readonly PlannedStep[];

/** True if the step makes later child processes start in a new pid namespace. */
export const makesPidNamespace = (step: LaunchStep): boolean =>
  step.tag === 'namespace' && step.kind === 'pid' && step.of === undefined;

/**
 * The instructions for one launcher: which steps to apply, and which program to execute. If another launcher
 * follows, there is no program.
 */
export interface LaunchOrder {
  readonly steps: LaunchStage;
  readonly program?: LaunchedProgram;
}

export interface LaunchedProgram {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The messages from a launcher to the supervisor. */
export type LaunchReport =
  | ({ readonly tag: 'skipped' } & Skipped)
  /**
   * The launcher has applied its steps and waits for the next instructions. `inside`: it is in a new user
   * namespace that has no id maps yet.
   */
  | { readonly tag: 'next'; readonly inside: boolean }
  /** Another process continues the launch: the first one in a new pid namespace. */
  | { readonly tag: 'moved'; readonly pid: number }
  /** The kernel refused a step, so the program was not executed. */
  | { readonly tag: 'refused'; readonly step: StepTag; readonly key: string; readonly detail: string }
  /** The launcher cannot make system calls, so it has applied no step. */
  | { readonly tag: 'helpless'; readonly detail: string }
  /**
   * All steps are applied, and the program is executed next. If the launcher ends without this message, the
   * launch failed.
   */
  | { readonly tag: 'going' }
  /** The program could not be executed; `code` is the errno name. */
  | { readonly tag: 'no-program'; readonly code: string };
