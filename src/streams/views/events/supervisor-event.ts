// Events of the supervisor itself.
import type { Instant } from '../../domain/time.ts';
import type { EventDocument } from '../../wire/documents/event-document.ts';
import { timeText } from '../words/time-text.ts';

export interface SupervisorNews {
  readonly at: Instant;
  readonly pid: number;
  readonly to: 'running' | 'stopped';
  readonly version: string;
}

/** The event that the supervisor began, or ended in an orderly way. */
export const supervisorEvent = ({ at, pid, to, version }: SupervisorNews): EventDocument => ({
  schema: 'sup.event/1',
  at: timeText(at),
  kind: 'supervisor',
  project: null,
  service: null,
  child: null,
  from: null,
  to,
  health: 'unknown',
  run: null,
  pid,
  cause: to === 'running' ? 'supervisor-began' : 'supervisor-ended',
  reason: to === 'running' ? `the supervisor began, sup ${version}` : 'the supervisor ended',
  code: null,
  because_of: [],
  rollout: null,
});
