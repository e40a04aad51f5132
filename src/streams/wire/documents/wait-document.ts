// The document `sup.wait/1`: whether services reached the requested state.
import type { HealthWord, StateWord } from './documents.ts';

export const GOALS = ['running', 'healthy', 'done', 'stopped'] as const;
export type Goal = (typeof GOALS)[number];

export interface WaitDocument {
  readonly schema: 'sup.wait/1';
  readonly for: Goal;
  readonly reached: boolean;
  readonly timed_out: boolean;
  readonly services: readonly {
    readonly project: string;
    readonly service: string;
    /** The state of the service; `null` if it is no longer declared. */
    readonly state: StateWord | null;
    readonly health: HealthWord;
    /**
     * The result: the service has `reached` the goal, may still reach it (`pending`), or cannot reach it
     * without another command (`never`).
     */
    readonly verdict: 'reached' | 'pending' | 'never';
    readonly reason: string | null;
  }[];
}
