// The document `sup.event/1`: a line of `logs/events.jsonl` and of `sup events --json`.
import type { TimeText, Whole } from './basic-documents.ts';
import type { ErrorCode } from '../../domain/errors/error.ts';
import type { HealthWord, RolloutDocument, RolloutRecordDocument, StateWord } from './documents.ts';

/**
 * What an event is about:
 * - `state`: a service changed its state.
 * - `health`: the health of a service changed.
 * - `rollout`: a rollout began a step, or ended.
 * - `run`: the second run of a rollout changed its state.
 * - `schedule`: a scheduled time was skipped or queued because a run was alive, or its run begins late.
 * - `act`: a user signalled or reloaded a service.
 * - `warning`: a service had a failure that does not affect its state.
 * - `watch`: a watched file changed, and the service is restarted or signalled.
 * - `child`: a child of a service began or ended.
 * - `supervisor`: the supervisor began or ended.
 * - `service-event`: the service reported the event (`sup event`).
 * - `command`: a program that gives its name (`origin`) sent a command or read data, or its command failed.
 * - `alert`: a message about an incident, or its delivery.
 */
export const EVENT_KINDS = [
  'state',
  'health',
  'rollout',
  'run',
  'schedule',
  'act',
  'warning',
  'watch',
  'child',
  'supervisor',
  'alert',
  'service-event',
  'command',
] as const;

type EventKind = (typeof EVENT_KINDS)[number];

/** The step that a rollout has reached, or how it ended. */
export interface EventRollout {
  readonly strategy: RolloutDocument['strategy'];
  readonly step: RolloutDocument['step'] | RolloutRecordDocument['outcome'];
  readonly slot: string | null;
}

export interface EventDocument {
  readonly schema: 'sup.event/1';
  readonly at: TimeText;
  readonly kind: EventKind;
  /** The id of the project; `null` for an event of the supervisor. */
  readonly project: string | null;
  readonly service: string | null;
  /** The name of the child; `null` if the event is not about a child. */
  readonly child: string | null;
  /**
   * The state before the event; `null` for the supervisor. For `act` and `health`, `from` usually equals
   * `to`.
   */
  readonly from: StateWord | null;
  /** The state after the event; `null` if the service is no longer declared. */
  readonly to: StateWord | null;
  readonly health: HealthWord;
  /** The number of the run. During a rollout, this is the number of the new run, if this run has started. */
  readonly run: Whole | null;
  readonly pid: Whole | null;
  /** The input that caused the change, as in the history of `sup inspect`. */
  readonly cause: string;
  readonly reason: string | null;
  /** The code of the service's error after the event; `null` if there is no error. */
  readonly code: ErrorCode | null;
  readonly because_of: readonly string[];
  /** The level of the event. Only in a `service-event`. */
  readonly level?: 'info' | 'warning';
  /** The data that the service sends in addition to the text. Only in a `service-event`. */
  readonly data?: Readonly<Record<string, string>>;
  /**
   * The name of the program that sent the command for this event, such as `dashboard`. Absent for the command
   * line.
   */
  readonly origin?: string;
  /** The rollout; `null` if the kind is not `rollout` or `run`. */
  readonly rollout: EventRollout | null;
}
