// The document `sup.why/1`: why services are in their states. Ids are `project/service`. Times are ISO 8601
// in UTC.
import type { TimeText } from './basic-documents.ts';
import type { HealthWord, StateWord, TransitionDocument, UndeliveredAlerts } from './documents.ts';

/** A service in the chain from the requested service to the root causes. */
export interface WhyStep {
  readonly service: string;
  readonly state: StateWord;
  /** The time when the service entered its state; `null` if it is not recorded. */
  readonly since: TimeText | null;
  /** The event that caused the state of the service. */
  readonly event: string | null;
  readonly reason: string | null;
  readonly because_of: readonly string[];
}

export interface WhyAction {
  /** A command line for a shell. */
  readonly command: string;
  readonly meaning: string;
}

export interface WhyRoot {
  readonly service: string;
  /** The last state changes of the service, oldest first. */
  readonly history: readonly TransitionDocument[];
  /** The last lines that the service printed, oldest first. */
  readonly printed: readonly string[];
  readonly advice: string | null;
}

export interface WhyService {
  readonly project: string;
  readonly service: string;
  readonly state: StateWord;
  readonly health: HealthWord;
  /** The service itself, then the services that caused its state, nearest first. */
  readonly chain: readonly WhyStep[];
  /** The root causes: services of the chain with a state that no other service of the chain caused. */
  readonly roots: readonly WhyRoot[];
  /** Alerts about the present incident that receivers did not get; absent if there is none. */
  readonly undelivered_alerts?: UndeliveredAlerts;
  readonly next: { readonly at: TimeText | null; readonly text: string };
  readonly actions: readonly WhyAction[];
}

export interface WhyDocument {
  readonly schema: 'sup.why/1';
  /** True if a supervisor answered. False if the document was made from the state files. */
  readonly supervised: boolean;
  readonly services: readonly WhyService[];
}
