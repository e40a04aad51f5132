// Which other services a service's state is due to: those it waits for, those that felled it, the one it is skipped with.
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

/** Dependencies that are not there yet: those of the newest declaration, which its next run is made of. */
export const blockersOf = (service: Service, byId: LookUp): readonly Blocker[] =>
  declaredOf(service)
    .dependsOn.map(({ service: id, condition }) => ({ id, condition, service: byId(id) }))
    .filter(({ service, condition }) => service === undefined || !satisfies(service, condition));

/** Services that keep it, or its candidate, from where it should be, or felled it; none where the reason is its own. */
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
