// The document `sup.event/1`: one event, as a line of `logs/events.jsonl` and of `sup events --json`.
import type { ErrorCode } from '../../domain/errors/error.ts';
import type { HealthWord, RolloutDocument, RolloutRecordDocument, StateWord } from './documents.ts';

/**
 * What an event is about:
 * - `state`: a service changed its state.
 * - `health`: the health of a running service changed.
 * - `rollout`: a rollout reached another step or ended.
 * - `run`: the second run of a service during a rollout changed its state.
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
  /** The id of the project; `null` if the event is about the supervisor itself. */
  readonly project: string | null;
  readonly service: string | null;
  /** The name of the child of a service; `null` if the event is not about a child. */
  readonly child: string | null;
  /**
   * The previous state; `null` if the event is about the supervisor. For the kinds `health`, `act` and
   * `rollout` it usually is the same as `to`.
   */
  readonly from: StateWord | null;
  /** The state after the event; `null` if the service is no longer declared. */
  readonly to: StateWord | null;
  readonly health: HealthWord;
  /**
   * The number of the run that the event is about; during a rollout that of the new run, once it has started.
   */
  readonly run: number | null;
  readonly pid: number | null;
  /** The input that caused the change, as `inspect` names it. */
  readonly cause: string;
  readonly reason: string | null;
  /** The code of the error that the service has after the event. */
  readonly code: ErrorCode | null;
  readonly because_of: readonly string[];
  /** The rollout that the event is about; `null` unless the kind is `rollout` or `run`. */
  readonly rollout: EventRollout | null;
}
