// What a step hands out of the services that it moved. All that follows from a move and decides nothing is derived from it.
import type { Child, PastChild } from '../../domain/service/child.ts';
import type { Service } from '../../domain/service/service.ts';
import type { Input } from '../../service/input.ts';

/** One service went through the state table: what it was, what it became, and the input that caused it. */
export interface Move {
  readonly before: Service;
  readonly after: Service;
  readonly input: Input;
}

/** The rollout of a service began, came to another step, or ended. */
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

/** It is still on the roster. */
export const isMove = (each: Move | Departure): each is Move => each.after !== undefined;

/** Of a rollout: it turned, and not its second run. */
export const isTurn = (each: Move | Turn): each is Turn => each.input === undefined;
