// The document `sup.event/1`: one event, as a line of `logs/events.jsonl` and of `sup events --json`.
import type { ErrorCode } from '../../domain/errors/error.ts';
import type { HealthWord, RolloutDocument, RolloutRecordDocument, StateWord } from './documents.ts';

/**
 * What an event is about:
 * - `state`: a service changed its state.
 * - `health`: the health of a running service changed.
 * - `rollout`: a rollout reached another step or ended.
 * - `run`: the other run of a rollout changed its state.
 * - `act`: a user signalled or reloaded a service.
 * - `child`: a child began or ended.
 * - `supervisor`: the supervisor began or ended.
 */
type EventKind = 'state' | 'health' | 'rollout' | 'run' | 'act' | 'child' | 'supervisor';

/** The rollout of an event: the step it has reached, or how it ended. */
export interface EventRollout {
  readonly strategy: RolloutDocument['strategy'];
  readonly step: RolloutDocument['step'] | RolloutRecordDocument['outcome'];
  readonly slot: string | null;
}

export interface EventDocument {
  readonly schema: 'sup.event/1';
  readonly at: string;
  readonly kind: EventKind;
  /** The id of the project; `null` for an event of the supervisor itself. */
  readonly project: string | null;
  readonly service: string | null;
  /** The name of the child; `null` if the event is not about a child. */
  readonly child: string | null;
  /**
   * The previous state; `null` for an event of the supervisor. For `health`, `act` and `rollout` the same as
   * `to`.
   */
  readonly from: StateWord | null;
  /** The present state; `null` if the service is no longer declared. */
  readonly to: StateWord | null;
  readonly health: HealthWord;
  /** The run number; during a rollout that of the candidate, once it has started. */
  readonly run: number | null;
  readonly pid: number | null;
  /** The event that caused the change, as `inspect` names it. */
  readonly cause: string;
  readonly reason: string | null;
  /** The code of the service's present error. */
  readonly code: ErrorCode | null;
  readonly because_of: readonly string[];
  /** The rollout; `null` except for the kinds `rollout` and `run`. */
  readonly rollout: EventRollout | null;
}
