// The document `sup.why/1`: why services are in their states. Ids are `project/service`; times are ISO 8601
// UTC.
import type { HealthWord, StateWord, TransitionDocument } from './documents.ts';

/** One service on the chain of causes, which leads from the requested service to the root causes. */
export interface WhyStep {
  readonly service: string;
  readonly state: StateWord;
  /** When the service entered its state; `null` if this is not recorded. */
  readonly since: string | null;
  /** The event that caused the state of the service. */
  readonly event: string | null;
  readonly reason: string | null;
  readonly because_of: readonly string[];
}

export interface WhyAction {
  /** A command line that the user can run in a shell. */
  readonly command: string;
  readonly meaning: string;
}

export interface WhyRoot {
  readonly service: string;
  /** The last state changes of this root cause, oldest first. */
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
  /** The service itself, then the services that caused its state directly or indirectly, nearest first. */
  readonly chain: readonly WhyStep[];
  /** The root causes: the services on the chain whose state no other service has caused. */
  readonly roots: readonly WhyRoot[];
  readonly next: { readonly at: string | null; readonly text: string };
  readonly actions: readonly WhyAction[];
}

export interface WhyDocument {
  readonly schema: 'sup.why/1';
  /** True if a supervisor answered; otherwise the document is made from the state files. */
  readonly supervised: boolean;
  readonly services: readonly WhyService[];
}
