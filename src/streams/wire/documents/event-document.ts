// The document `sup.event/1`: a line of `logs/events.jsonl` and of `sup events --json`.
import type { TimeText, Whole } from './basic-documents.ts';
import type { ErrorCode } from '../../domain/errors/error.ts';
import type { HealthWord, RolloutDocument, RolloutRecordDocument, StateWord } from './documents.ts';

/**
 * What an event is about:
 * - `state`, `health`: of a service.
 * - `rollout`: its step or end.
 * - `run`: the second run of a rollout changed its state.
 * - `schedule`: a scheduled time was skipped or queued because a run was alive, or its run begins late.
 * - `act`: a user signalled or reloaded a service.
 * - `warning`: something of a service failed without a consequence for its state.
 * - `watch`: a watched file changed, and the service is restarted or signalled.
 * - `child`: it began or ended.
 * - `supervisor`: it began or ended.
 * - `service-event`: the service reported it (`sup event`).
 * - `command`: a program with an origin sent a command, called something, or got a command refused.
 * - `alert`: a message about an incident, or what became of one.
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
  /** The project's id; `null` for an event of the supervisor. */
  readonly project: string | null;
  readonly service: string | null;
  /** The name of the child; `null` unless the event is about one. */
  readonly child: string | null;
  /** The state before the event: `null` for the supervisor, usually equal to `to` for `act` or `health`. */
  readonly from: StateWord | null;
  /** The state after the event; `null` if the service is no longer declared. */
  readonly to: StateWord | null;
  readonly health: HealthWord;
  /** The number of the run; during a rollout that of the new run, once it has started. */
  readonly run: Whole | null;
  readonly pid: Whole | null;
  /** The input that caused the change, as in `inspect`. */
  readonly cause: string;
  readonly reason: string | null;
  /** The code of the error that the service has after the event. */
  readonly code: ErrorCode | null;
  readonly because_of: readonly string[];
  /** Only in a `service-event`. */
  readonly level?: 'info' | 'warning';
  /** What the service says besides its text, only in a `service-event`. */
  readonly data?: Readonly<Record<string, string>>;
  /** The program that caused it by a command, such as `dashboard`; absent for the command line. */
  readonly origin?: string;
  /** The rollout; `null` unless the kind is `rollout` or `run`. */
  readonly rollout: EventRollout | null;
}
