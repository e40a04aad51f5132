// The plans that an agent has seen in this session. Only such a plan may be applied.
import { hashOfPlan } from '../../client/api/plan-hash.ts';
import type { Selection } from '../../streams/domain/command.ts';
import type { PlanDocument } from '../../streams/wire/documents/command-documents.ts';

/** Maximum number of plans that are remembered. The oldest plan is forgotten first. */
const MOST_PLANS = 100;

export class ShownPlans {
  readonly #selections = new Map<string, Selection>();

  /** Remembers the plan, and returns its hash. */
  show(selection: Selection, plan: PlanDocument): string {
    const hash = hashOfPlan(plan, selection);
    this.#selections.delete(hash);
    this.#selections.set(hash, selection);
    const [oldest] = this.#selections.keys();
    if (this.#selections.size > MOST_PLANS && oldest !== undefined) this.#selections.delete(oldest);
    return hash;
  }

  /** Returns the selection of the plan with this hash; `undefined` if this plan was not shown. */
  selectionOf(hash: string): Selection | undefined {
    return this.#selections.get(hash);
  }
}
