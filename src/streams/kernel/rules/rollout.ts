// Rollouts: the second run is admitted when what it needs is there, is let go when it is to end, and the rollout hears of
// what the two runs have become.
import type { ServiceId } from '../../domain/ids.ts';
import { impulseOf } from '../../deploy/impulse.ts';
import { nodeOf } from '../../graph/graph.ts';
import { isSkipped, satisfies } from '../../graph/standing.ts';
import { find, type Draft, type Visit } from '../draft.ts';
import { advance } from '../rollouts/advance.ts';
import { sendSecond } from '../rollouts/second.ts';

/** A candidate does not pass the gate: it is one, and somebody asked for it. */
export const admitSecond = (draft: Draft, id: ServiceId): void => {
  const other = find(draft, id)?.rollout?.other;
  if (other?.actual.tag !== 'waiting' || other.wanted === 'down') return;
  const needs = nodeOf(draft.state.graph, id).needs.map((need) => ({
    ...need,
    found: find(draft, need.service),
  }));
  const skipped = needs.find(({ found }) => found !== undefined && isSkipped(found));
  if (skipped) return sendSecond(draft, id, { type: 'pass-over', dependency: skipped.service });
  const there = needs.every(({ found, condition }) => found !== undefined && satisfies(found, condition));
  if (there) sendSecond(draft, id, { type: 'admit' });
};

/** Nobody depends on the run that goes: it ends at once. */
const releaseSecond = (draft: Draft, id: ServiceId): void => {
  const other = find(draft, id)?.rollout?.other;
  if (other?.wanted !== 'down') return;
  if (other.actual.tag === 'starting' || other.actual.tag === 'up')
    sendSecond(draft, id, { type: 'release' });
};

/** A service with a rollout, or one that has just lost it: where does the rollout go from here? */
export const roll = (draft: Draft, { after }: Visit): void => {
  const { id } = after.spec;
  admitSecond(draft, id);
  releaseSecond(draft, id);
  const service = find(draft, id);
  const input = service && impulseOf(service);
  if (input !== undefined) advance(draft, id, input);
};
