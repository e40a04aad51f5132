// What a process does to itself between its birth and its program: one word each, in the order in which they come.
// Everything is a number or a path by now: whoever carries a step out looks nothing up.
import type { Limit, PortsSpec } from '../domain/declared/spec.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import type { IdMaps } from './id-map.ts';
import type { Instruction } from './seccomp/bpf.ts';

/** What a Landlock rule grants below a path. */
export type Grant = 'read' | 'write' | 'execute';

export interface LandlockRule {
  readonly path: string;
  readonly grant: Grant;
  /** The key of the manifest that names the path. */
  readonly key: string;
}

export interface FileRules {
  readonly rules: readonly LandlockRule[];
  readonly guardsExecution: boolean;
}

export type Step =
  /** The terminal at this descriptor controls the session from now on. */
  | { readonly tag: 'terminal'; readonly descriptor: number }
  /** Joined by writing to this file: every child is inside from its birth. */
  | { readonly tag: 'cgroup'; readonly procs: string }
  /** `atLeast`: never lowered here, because a launcher of its own comes after it. */
  | {
      readonly tag: 'limit';
      readonly resource: 'nofile' | 'nproc' | 'memlock' | 'core';
      readonly value: Limit;
      readonly atLeast: boolean;
    }
  | { readonly tag: 'nice'; readonly value: number }
  | { readonly tag: 'cpus'; readonly cpus: readonly number[] }
  /** `of`: that of this process is joined, instead of making a new one. */
  | { readonly tag: 'namespace'; readonly kind: 'network' | 'mount' | 'pid'; readonly of?: ProcessRef }
  /** In a mount namespace of its own; `kept` lies below the places and stays visible. */
  | { readonly tag: 'hide'; readonly places: readonly string[]; readonly kept: readonly string[] }
  | { readonly tag: 'groups'; readonly gids: readonly number[] }
  | { readonly tag: 'group'; readonly gid: number }
  /** `keep`: its capabilities outlive the change; a later step says which of them. */
  | { readonly tag: 'user'; readonly uid: number; readonly keep: boolean }
  | { readonly tag: 'capabilities'; readonly keep: readonly number[] }
  | { readonly tag: 'directory'; readonly path: string }
  | { readonly tag: 'umask'; readonly mask: number }
  | { readonly tag: 'no-new-privileges' }
  /** Absent `files` restricts no files, and absent `ports` no ports. */
  | { readonly tag: 'landlock'; readonly files?: FileRules; readonly ports?: PortsSpec }
  | { readonly tag: 'seccomp'; readonly filter: readonly Instruction[] }
  /** Root of the user namespace from now on, with no capability that it would not have after an exec. */
  | { readonly tag: 'inner-root'; readonly group: boolean }
  /**
   * The last of a stage: what comes after it is done by a launcher of its own inside a new user namespace. `maps`: the
   * supervisor maps its ids; absent: the launcher maps its own.
   */
  | { readonly tag: 'user-namespace'; readonly become: 'root' | 'itself'; readonly maps?: IdMaps };

export type StepTag = Step['tag'];

/** A step, the key of the manifest it comes from, and the refusals (names of errno) at which it is passed over. */
export type PlannedStep = Step & { readonly key: string; readonly mayRefuse: readonly string[] };

/** What one launcher does before it becomes the program, or the next launcher. */
export type Stage = readonly PlannedStep[];

/** What is born after it is in a new pid namespace. */
export const makesPidNamespace = (step: Step): boolean =>
  step.tag === 'namespace' && step.kind === 'pid' && step.of === undefined;
