// The plans that an agent has seen in this session. Only such a plan may be applied.
import { createHash } from 'node:crypto';
import type { Selection } from '../../streams/domain/command.ts';
import type { PlanDocument } from '../../streams/wire/documents/command-documents.ts';

/** Plans that are remembered; the oldest is forgotten first. */
const MOST_PLANS = 100;

/** Returns the hash of a plan and of what was selected for it. Estimates of time do not count. */
export const hashOf = (selection: Selection, { changes, tables }: PlanDocument): string => {
  const lasting = changes.map(({ down_ms: _, ...change }) => change);
  const { services = null, projects = null } = selection;
  const text = JSON.stringify([services, projects, lasting, tables]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
};

export class ShownPlans {
  readonly #selections = new Map<string, Selection>();

  /** Remembers the plan, and returns its hash. */
  show(selection: Selection, plan: PlanDocument): string {
    const hash = hashOf(selection, plan);
    this.#selections.delete(hash);
    this.#selections.set(hash, selection);
    const [oldest] = this.#selections.keys();
    if (this.#selections.size > MOST_PLANS && oldest !== undefined) this.#selections.delete(oldest);
    return hash;
  }

  /** Returns what was selected in the plan with this hash; `undefined` if it was not shown. */
  selectionOf(hash: string): Selection | undefined {
    return this.#selections.get(hash);
  }
}
