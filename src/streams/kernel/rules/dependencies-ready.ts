// Checks whether the dependencies of a service are ready.
// Rules: `docs/behaviour.md`, "Starting", "Order".
import type { ServiceId } from '../../domain/ids.ts';
import { nodeOf } from '../../graph/graph.ts';
import { isSkipped, satisfies } from '../../graph/dependency-state.ts';
import { find, type Draft } from '../draft.ts';

type Needs =
  | { readonly tag: 'there' }
  | { readonly tag: 'missing' }
  /** A dependency was skipped, so its dependent is skipped too. */
  | { readonly tag: 'skipped'; readonly by: ServiceId };

/** Returns whether dependencies are ready, missing or skipped; a skipped one decides. */
export const needsOf = (draft: Draft, id: ServiceId): Needs => {
  const needs = nodeOf(draft.state.graph, id).needs.map((need) => ({
    ...need,
    found: find(draft, need.service),
  }));
  const skipped = needs.find(({ found }) => found !== undefined && isSkipped(found));
  if (skipped) return { tag: 'skipped', by: skipped.service };
  const there = needs.every(({ found, condition }) => found !== undefined && satisfies(found, condition));
  return { tag: there ? 'there' : 'missing' };
};
