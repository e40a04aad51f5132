// Casualties: a failure fells all dependents, and whoever fell rises when everybody who felled it is there again.
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { dependentsOf, dependsOn, nodeOf, reach } from '../../graph/graph.ts';
import { hasFailed, isAlive, isSkipped, isUnderWay, satisfies } from '../../graph/standing.ts';
import { find, type Draft, type Visit } from '../draft.ts';
import { needsOf } from '../needs.ts';
import { advance } from '../rollouts/advance.ts';
import { send } from '../send.ts';

/** A run needs what it was declared to need; what a newer declaration names, or does not name any more, is for the next one. */
const needsAsItIs = (service: Service, other: ServiceId): boolean =>
  !(isAlive(service) || isUnderWay(service)) ||
  service.spec.dependsOn.some(({ service: needed }) => needed === other);

/** Direct and transitive dependents, each as it runs. */
const fallenWith = (draft: Draft, id: ServiceId): readonly ServiceId[] =>
  reach([id], (each) =>
    nodeOf(draft.state.graph, each).usedBy.filter((dependent) => {
      const service = find(draft, dependent);
      return service !== undefined && needsAsItIs(service, each);
    }),
  );

/** A failure fells all dependents, direct and transitive, at once; a candidate that needs any of them is taken back. */
export const fell = (draft: Draft, { before, after }: Visit): void => {
  if (!hasFailed(after) || hasFailed(before)) return;
  const { id } = after.spec;
  const fallen = fallenWith(draft, id);
  const { graph } = draft.state;
  fallen.forEach((dependent) => send(draft, dependent, { type: 'fell', of: [id] }));
  new Set([id, ...fallen].flatMap((each) => nodeOf(graph, each).neededBy)).forEach((dependent) =>
    advance(draft, dependent, { type: 'abort' }),
  );
};

/** It is not there again. Who has left, or is not needed any more, holds nobody down. */
const holdsDown = (draft: Draft, culprit: ServiceId, id: ServiceId): boolean => {
  const found = find(draft, culprit);
  return found !== undefined && !satisfies(found, 'started') && dependsOn(draft.state.graph, id, culprit);
};

/** What it needs failed while its process was being made: it falls now, unless that is there again. */
export const fellLate = (draft: Draft, { before, after }: Visit): void => {
  if (after.actual.tag !== 'starting' || before.actual.tag !== 'spawning') return;
  const { id } = after.spec;
  const culprits = (before.actual.felled ?? []).filter((culprit) => holdsDown(draft, culprit, id));
  if (culprits.length > 0) send(draft, id, { type: 'fell', of: culprits });
};

/** Nobody waits for the health of what is skipped. */
const isLeftOut = (draft: Draft, id: ServiceId): boolean => {
  const service = find(draft, id);
  return service !== undefined && isSkipped(service);
};

/** A casualty rises when everybody who felled it is there again, or to be skipped: with a culprit, or with what it needs. */
const raiseOne = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service?.actual.tag !== 'casualty') return;
  const isHeld = service.actual.of.some(
    (culprit) => holdsDown(draft, culprit, id) && !isLeftOut(draft, culprit),
  );
  if (!isHeld || needsOf(draft, id).tag === 'skipped') send(draft, id, { type: 'raise' });
};

/** It has fallen, but those who felled it are there again by now, or not needed any more. */
export const raise = (draft: Draft, { after }: Visit): void => raiseOne(draft, after.spec.id);

/** It is there, or there no longer to hold anybody down: all who fell with it may rise. */
export const raiseAll = (draft: Draft, ids: readonly ServiceId[]): void =>
  ids.forEach((id) => raiseOne(draft, id));

/** It is there again, or skipped: whoever fell with it may rise, direct or transitive. */
export const raiseDependents = (draft: Draft, { before, after }: Visit): void => {
  const comesBack = satisfies(after, 'started') && !satisfies(before, 'started');
  if (comesBack || (isSkipped(after) && !isSkipped(before)))
    raiseAll(draft, dependentsOf(draft.state.graph, after.spec.id));
};
