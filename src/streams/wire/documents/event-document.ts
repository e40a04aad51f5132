// `sup.event/1`: one thing that happened, as a line of `logs/events.jsonl` and of `sup events --json`.
import type { ErrorCode } from '../../domain/errors/error.ts';
import type { HealthWord, RolloutDocument, RolloutRecordDocument, StateWord } from './documents.ts';

/**
 * What is new: `state` of a service; `health` of one that is running; `rollout`: it came to another step, or ended; `run`:
 * the second run of a rollout, beside the one that is the service; `act`: a person sent a signal or had it reload; `child`: one
 * began or ended; `supervisor`: it began or ended.
 */
type EventKind = 'state' | 'health' | 'rollout' | 'run' | 'act' | 'child' | 'supervisor';

/** The rollout that an event belongs to, with the step that it has come to, or how it ended. */
export interface EventRollout {
  readonly strategy: RolloutDocument['strategy'];
  readonly step: RolloutDocument['step'] | RolloutRecordDocument['outcome'];
  readonly slot: string | null;
}

export interface EventDocument {
  readonly schema: 'sup.event/1';
  readonly at: string;
  readonly kind: EventKind;
  /** `null` where it is about the supervisor itself. */
  readonly project: string | null;
  readonly service: string | null;
  /** The name of the child that it is about; `null` where it is about the service itself. */
  readonly child: string | null;
  /** `null` of a supervisor. Of `health`, `act` and `rollout` the same as `to`. */
  readonly from: StateWord | null;
  /** `null`: it is not declared any more. */
  readonly to: StateWord | null;
  readonly health: HealthWord;
  /** Of a rollout the candidate's, once it has begun. */
  readonly run: number | null;
  readonly pid: number | null;
  /** The event that caused it, as `inspect` names it. */
  readonly cause: string;
  readonly reason: string | null;
  /** Of the error that it is in trouble with. */
  readonly code: ErrorCode | null;
  readonly because_of: readonly string[];
  /** `null` unless it is about a rollout (`rollout`, `run`). */
  readonly rollout: EventRollout | null;
}
