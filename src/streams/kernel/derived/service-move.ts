// What a step emits about services that moved. Whatever follows from a move without a decision is derived
// from it.
import type { Child, PastChild } from '../../domain/service/child.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { Service } from '../../domain/service/service.ts';
import type { Input } from '../../service/service-input.ts';

/** A run went through the state table: before, after, and the input that caused it. */
export interface RunMove {
  readonly before: Run;
  readonly after: Run;
  readonly input: Input;
}

/** The same of a current run, with its service. */
export interface Move extends RunMove {
  readonly before: Service;
  readonly after: Service;
}

/** The rollout of a service began, changed its step, or ended. */
export interface Turn {
  readonly before: Service;
  readonly after: Service;
  readonly input?: never;
}

/** A child of the service has begun, or is over. */
export type ChildTurn =
  | { readonly service: Service; readonly child: Child; readonly past?: never }
  | { readonly service: Service; readonly past: PastChild; readonly child?: never };

/** One service left the roster. */
export interface Departure {
  readonly before: Service;
  readonly after?: never;
}

/** True unless the service left the roster. */
export const isMove = (each: Move | Departure): each is Move => each.after !== undefined;

/** True for a change of the rollout's step. */
export const isTurn = (each: RunMove | Turn): each is Turn => each.input === undefined;
