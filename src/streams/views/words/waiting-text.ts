// What a service waits for, in words.
import { nameOf } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import type { LookUp } from '../snapshot.ts';
import { blockersOf } from './because-of.ts';
import { stateWord } from './words.ts';

/** Each unsatisfied dependency and its state; `undefined`: none is missing. */
export const waitingText = (service: Service, byId: LookUp): string | undefined => {
  const blockers = blockersOf(service, byId);
  if (blockers.length === 0) return undefined;
  const listed = blockers.map(({ id, service: other, condition }) => {
    const word = other === undefined ? 'unknown' : stateWord(other);
    return `${nameOf(id)} ${condition === 'completed' ? 'to complete ' : ''}(${word})`;
  });
  return `waits for ${listed.join(', ')}`;
};
