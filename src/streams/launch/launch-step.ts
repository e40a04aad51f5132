// The steps a process applies to itself between fork and exec of its program, in their order, and the
// messages between the supervisor and the launcher that applies them. All values are resolved to numbers or
// paths: executing a step looks nothing up.
import type { Limit, PortsSpec } from '../domain/declared/spec.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import type { Skipped } from '../domain/service/service-run.ts';
import type { IdMaps } from './id-ranges.ts';
import type { Instruction } from './seccomp/bpf.ts';

/** What a Landlock rule grants below a path. */
export type FileAccess = 'read' | 'write' | 'execute';

export interface LandlockRule {
  readonly path: string;
  readonly grant: FileAccess;
  /** The key of the manifest that names the path. */
  readonly key: string;
}

export interface LandlockFiles {
  readonly rules: readonly LandlockRule[];
  readonly guardsExecution: boolean;
}

export type LaunchStep =
  /** The terminal at this descriptor becomes the controlling one. */
  | { readonly tag: 'terminal'; readonly descriptor: number }
  /** Joins by a write to this file: every child starts inside the cgroup. */
  | { readonly tag: 'cgroup'; readonly procs: string }
  /** `atLeast`: only raises the limit, because another launcher follows. */
  | {
      readonly tag: 'limit';
      readonly resource: 'nofile' | 'nproc' | 'memlock' | 'core';
      readonly value: Limit;
      readonly atLeast: boolean;
    }
  | { readonly tag: 'nice'; readonly value: number }
  | { readonly tag: 'cpus'; readonly cpus: readonly number[] }
  /** `of`: joins this process's namespace instead of creating one. */
  | { readonly tag: 'namespace'; readonly kind: 'network' | 'mount' | 'pid'; readonly of?: ProcessRef }
  /** In its own mount namespace; the paths in `kept` lie below `places` and stay visible. */
  | { readonly tag: 'hide'; readonly places: readonly string[]; readonly kept: readonly string[] }
  | { readonly tag: 'groups'; readonly gids: readonly number[] }
  | { readonly tag: 'group'; readonly gid: number }
  /** `keep`: its capabilities survive the change; a later step drops some. */
  | { readonly tag: 'user'; readonly uid: number; readonly keep: boolean }
  | { readonly tag: 'capabilities'; readonly keep: readonly number[] }
  | { readonly tag: 'directory'; readonly path: string }
  | { readonly tag: 'umask'; readonly mask: number }
  | { readonly tag: 'no-new-privileges' }
  /** Absent `files` restricts no files, and absent `ports` no ports. */
  | { readonly tag: 'landlock'; readonly files?: LandlockFiles; readonly ports?: PortsSpec }
  | { readonly tag: 'seccomp'; readonly filter: readonly Instruction[] }
  /** Becomes root of the user namespace, with only the capabilities it would have after an exec. */
  | { readonly tag: 'inner-root'; readonly group: boolean }
  /**
   * The last step of a stage: another launcher does the rest inside a new user namespace. `maps`: the
   * supervisor maps its ids; absent: the launcher maps its own.
   */
  | { readonly tag: 'user-namespace'; readonly become: 'root' | 'itself'; readonly maps?: IdMaps };

export type StepTag = LaunchStep['tag'];

/** A step with its manifest key, and the errno names at which it is skipped. */
export type PlannedStep = LaunchStep & { readonly key: string; readonly mayRefuse: readonly string[] };

/** The steps of one launcher before it becomes the program, or the next launcher. */
export type LaunchStage = readonly PlannedStep[];

/** True if later children are in a new pid namespace. */
export const makesPidNamespace = (step: LaunchStep): boolean =>
  step.tag === 'namespace' && step.kind === 'pid' && step.of === undefined;

/** One launcher's order: apply the steps, then become the program. Only the last stage names a program. */
export interface LaunchOrder {
  readonly steps: LaunchStage;
  readonly program?: LaunchedProgram;
}

export interface LaunchedProgram {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What a launcher reports to the supervisor. */
export type LaunchReport =
  | ({ readonly tag: 'skipped' } & Skipped)
  /** Waits for the next order; `inside`: in a new user namespace without id maps yet. */
  | { readonly tag: 'next'; readonly inside: boolean }
  /** Continues as this process, the first of a new pid namespace. */
  | { readonly tag: 'moved'; readonly pid: number }
  /** A step was refused: the program was not run. */
  | { readonly tag: 'refused'; readonly step: StepTag; readonly key: string; readonly detail: string }
  /** No calls to the kernel are possible. */
  | { readonly tag: 'helpless'; readonly detail: string }
  /**
   * All steps are done; the program comes next. If the launcher ends without this report, the launch failed.
   */
  | { readonly tag: 'going' }
  /** The program itself could not be executed; `code` is the name of errno. */
  | { readonly tag: 'no-program'; readonly code: string };
