// Services that a state is due to: awaited ones, failed dependencies, or the one it is skipped with.
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import type { Dependency } from '../../domain/declared/spec.ts';
import { declaredOf } from '../../rollout/runs.ts';
import { satisfies } from '../../graph/standing.ts';
import type { LookUp } from '../snapshot.ts';

interface Blocker {
  readonly id: ServiceId;
  readonly condition: Dependency['condition'];
  readonly service: Service | undefined;
}

/** Unsatisfied dependencies of the newest declaration, which its next run uses. */
export const blockersOf = (service: Service, byId: LookUp): readonly Blocker[] =>
  declaredOf(service)
    .dependsOn.map(({ service: id, condition }) => ({ id, condition, service: byId(id) }))
    .filter(({ service, condition }) => service === undefined || !satisfies(service, condition));

/** Services that block it or its candidate, or that failed and stopped it; none if the cause is its own. */
export const becauseOf = (service: Service, byId: LookUp): readonly ServiceId[] => {
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
