// Checks whether the dependencies of a service are ready.
// Rules: `docs/behaviour.md`, "Starting", "Order".
import type { Dependency } from '../../domain/declared/spec.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { blockerOf, type BlockerFacts } from '../../graph/blocking-dependency.ts';
import { isRequired, nodeOf } from '../../graph/graph.ts';
import { isComing, isSkipped, satisfies } from '../../graph/dependency-state.ts';
import { find, serviceIs, type Draft } from '../draft.ts';

type Needs =
  /** `without`: the dependencies that are not ready and not required. */
  | { readonly tag: 'there'; readonly without: readonly ServiceId[] }
  | { readonly tag: 'missing' }
  /** A dependency was skipped, so its dependent is skipped too. */
  | { readonly tag: 'skipped'; readonly by: ServiceId };

const isThere = (draft: Draft, { service, condition }: Dependency): boolean =>
  serviceIs(draft, service, (found) => satisfies(found, condition));

const blockerIn = (service: Service, around: BlockerFacts): ServiceId | undefined =>
  service.actual.tag === 'waiting' ? blockerOf(service, around) : undefined;

/**
 * True if the dependent may start as far as this dependency is concerned. An optional dependency keeps it
 * waiting only while the dependency may still become ready.
 */
export const isMet = (need: Dependency, around: BlockerFacts): boolean => {
  const found = around.find(need.service);
  if (found === undefined) return !isRequired(need);
  if (satisfies(found, need.condition)) return true;
  return !isRequired(need) && !(isComing(found, need.condition) && blockerIn(found, around) === undefined);
};

/**
 * Returns whether the dependencies of a service are ready (`there`), not ready (`missing`) or skipped. If a
 * required dependency is skipped, the result is `skipped`, whatever the other dependencies are.
 */
export const needsOf = (draft: Draft, id: ServiceId): Needs => {
  const { graph } = draft.state;
  const { needs } = nodeOf(graph, id);
  const skipped = needs.find((need) => isRequired(need) && serviceIs(draft, need.service, isSkipped));
  if (skipped) return { tag: 'skipped', by: skipped.service };
  const around = { graph, find: (other: ServiceId) => find(draft, other) };
  if (!needs.every((need) => isMet(need, around))) return { tag: 'missing' };
  return {
    tag: 'there',
    without: needs.filter((need) => !isThere(draft, need)).map(({ service }) => service),
  };
};
