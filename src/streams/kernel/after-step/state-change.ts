// The changes that a step returns. Log lines, events and hooks are derived from them.
import type { Child, PastChild } from '../../domain/service/child.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { Service } from '../../domain/service/service.ts';
import type { Input } from '../../service/service-input.ts';

/** One state change of a run: before, after, and the input that caused it. */
export interface RunMove {
  readonly before: Run;
  readonly after: Run;
  readonly input: Input;
}

/** One state change of a service's current run, with the whole service before and after. */
export interface Move extends RunMove {
  readonly before: Service;
  readonly after: Service;
}

/** A change of a rollout: it began, changed its step, or ended. */
export interface Turn {
  readonly before: Service;
  readonly after: Service;
  readonly input?: never;
}

/** A child process of a service: it began (`child`) or ended (`past`). */
export type ChildTurn =
  | { readonly service: Service; readonly child: Child; readonly past?: never }
  | { readonly service: Service; readonly past: PastChild; readonly child?: never };

/** A service was removed from the service table. */
export interface Departure {
  readonly before: Service;
  readonly after?: never;
}

/** True for a state change of a service; false if the service was removed. */
export const isMove = (each: Move | Departure): each is Move => each.after !== undefined;

/** True for a change of a rollout; false for a state change of a run. */
export const isTurn = (each: RunMove | Turn): each is Turn => each.input === undefined;
