// Finds the services that caused the state of a service: dependencies for which it waits, which failed, or
// which were skipped.
import type { Dependency } from '../../domain/declared/spec.ts';
import { nameOf, type ServiceId } from '../../domain/ids.ts';
import type { Service, ServiceOrRun } from '../../domain/service/service.ts';
import { isComing, satisfies } from '../../graph/dependency-state.ts';
import { isRequired, onInstances } from '../../graph/graph.ts';
import { declaredOf } from '../../rollout/two-runs.ts';
import type { LookUp } from '../state-snapshot.ts';
import { stateWord } from './public-words.ts';

interface Blocker {
  readonly id: ServiceId;
  readonly condition: Dependency['condition'];
  readonly service: Service | undefined;
}

/** Returns the unsatisfied dependencies of the newest declaration, which the next run will use. */
const blockersOf = (service: ServiceOrRun, byId: LookUp): readonly Blocker[] =>
  declaredOf(service)
    .dependsOn.flatMap((need) => onInstances(need, byId))
    .flatMap((need): readonly Blocker[] => {
      const { service: id, condition } = need;
      const found = byId(id);
      const blocks = isRequired(need)
        ? found === undefined || !satisfies(found, condition)
        : found !== undefined && !satisfies(found, condition) && isComing(found, condition);
      return blocks ? [{ id, condition, service: found }] : [];
    });

/** Returns the services that caused the state. The list is empty if the service itself is the cause. */
export const becauseOf = (service: ServiceOrRun, byId: LookUp): readonly ServiceId[] => {
  const { actual } = service;
  switch (actual.tag) {
    case 'waiting':
      return actual.for === 'gate' ? [] : blockersOf(service, byId).map(({ id }) => id);
    case 'casualty':
      return actual.of;
    case 'stopping':
      return actual.cause.tag === 'felled' ? actual.cause.of : [];
    case 'down':
      return becauseDown(actual.why);
    case 'up':
      return service.rollout?.other.actual.tag === 'waiting'
        ? blockersOf(service, byId).map(({ id }) => id)
        : [];
    default:
      return [];
  }
};

const becauseDown = (why: Extract<Service['actual'], { tag: 'down' }>['why']): readonly ServiceId[] => {
  if (why.tag === 'failed') return why.error.code === 'ERR0109' ? [why.error.dependency] : [];
  if (why.tag !== 'skipped' || why.by === 'manifest' || why.by === 'command') return [];
  return [why.by];
};

/** Returns a text with each unsatisfied dependency and its state. */
export const waitingText = (service: ServiceOrRun, byId: LookUp): string | undefined => {
  const blockers = blockersOf(service, byId);
  if (blockers.length === 0) return undefined;
  const listed = blockers.map(({ id, service: other, condition }) => {
    const word = other === undefined ? 'unknown' : stateWord(other);
    return `${nameOf(id)} ${condition === 'completed' ? 'to complete ' : ''}(${word})`;
  });
  return `waits for ${listed.join(', ')}`;
};
