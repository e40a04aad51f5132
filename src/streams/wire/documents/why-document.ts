// `sup.why/1`: why services are as they are. Ids are `project/service`; times ISO 8601 UTC.
import type { HealthWord, StateWord, TransitionDocument } from './documents.ts';

/** One service on the way from the one that is asked about to the roots of its trouble. */
export interface WhyStep {
  readonly service: string;
  readonly state: StateWord;
  /** Since when it is so; `null` where that is not remembered. */
  readonly since: string | null;
  /** The event that made it so. */
  readonly event: string | null;
  readonly reason: string | null;
  readonly because_of: readonly string[];
}

export interface WhyAction {
  /** To be pasted. */
  readonly command: string;
  readonly meaning: string;
}

export interface WhyRoot {
  readonly service: string;
  /** Its last moves, oldest first. */
  readonly history: readonly TransitionDocument[];
  /** What it printed last, oldest first. */
  readonly printed: readonly string[];
  readonly advice: string | null;
}

export interface WhyService {
  readonly project: string;
  readonly service: string;
  readonly state: StateWord;
  readonly health: HealthWord;
  /** Itself first. */
  readonly chain: readonly WhyStep[];
  /** Where the chain ends. */
  readonly roots: readonly WhyRoot[];
  readonly next: { readonly at: string | null; readonly text: string };
  readonly actions: readonly WhyAction[];
}

export interface WhyDocument {
  readonly schema: 'sup.why/1';
  /** Whether a supervisor was asked; else it is told from what was recorded. */
  readonly supervised: boolean;
  readonly services: readonly WhyService[];
}
