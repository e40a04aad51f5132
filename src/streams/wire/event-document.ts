// `sup.event/1`: one thing that happened, as a line of `logs/events.jsonl` and of `sup events --json`.
import type { ErrorCode } from '../domain/errors/error.ts';
import type { HealthWord, StateWord } from './documents.ts';

export interface EventDocument {
  readonly schema: 'sup.event/1';
  readonly at: string;
  /** `null` where it is about the supervisor itself. */
  readonly project: string | null;
  readonly service: string | null;
  /** The name of the child that it is about; `null` where it is about the service itself. */
  readonly child: string | null;
  /** `null` of a supervisor. */
  readonly from: StateWord | null;
  /** `null`: it is not declared any more. */
  readonly to: StateWord | null;
  readonly health: HealthWord;
  readonly run: number | null;
  readonly pid: number | null;
  /** The event that caused it, as `inspect` names it. */
  readonly cause: string;
  readonly reason: string | null;
  /** Of the error that it is in trouble with. */
  readonly code: ErrorCode | null;
  readonly because_of: readonly string[];
}
