// Groups services by the root causes of their trouble, so that `sup why` prints each cause once.
import type { WhyService } from '../../../streams/wire/documents/why-document.ts';

export interface WhyGroup {
  /** The member with the shortest chain, which is printed: the root itself if it is among the services. */
  readonly first: WhyService;
  /** Services with the same roots; only their states are printed. */
  readonly others: readonly WhyService[];
}

const rootsOf = ({ roots }: WhyService): string =>
  roots
    .map(({ service }) => service)
    .toSorted()
    .join(' ');

const byRoots = (services: readonly WhyService[]): readonly (readonly WhyService[])[] => {
  const groups = new Map<string, WhyService[]>();
  for (const service of services) {
    const key = rootsOf(service);
    const members = groups.get(key) ?? [];
    groups.set(key, [...members, service]);
  }
  return [...groups.values()];
};

/** Returns the groups in the order of their first services. */
export const whyGroups = (services: readonly WhyService[]): readonly WhyGroup[] =>
  byRoots(services).flatMap((members) => {
    const [first, ...others] = members.toSorted((one, other) => one.chain.length - other.chain.length);
    return first === undefined ? [] : [{ first, others }];
  });

/** Leaves out each root and each command that an earlier group contains. */
export const withoutRepeats = (groups: readonly WhyGroup[]): readonly WhyGroup[] => {
  const seen = new Set<string>();
  const isNew = (key: string): boolean => {
    const known = seen.has(key);
    seen.add(key);
    return !known;
  };
  return groups.map(({ first, others }) => {
    const roots = first.roots.filter(({ service }) => isNew(service));
    const actions = first.actions.filter(({ command }) => isNew(command));
    return { first: { ...first, roots, actions }, others };
  });
};
