// The only way in which the kernel drives a service: an input goes through the state table, and the draft
// takes the result.
import type { ServiceId } from '../domain/ids.ts';
import { inPlace, spawnedInPlace } from '../rollout/in-place.ts';
import { nodeOf } from '../graph/graph.ts';
import type { Input } from '../service/input.ts';
import { transition } from '../service/machine.ts';
import { find, put, type Draft } from './draft.ts';

/** Sends one input to one service; news of unknown services is outdated. */
export const send = (draft: Draft, id: ServiceId, input: Input): void => {
  const before = find(draft, id);
  if (before === undefined) return;
  const { settings, graph } = draft.state;
  const { awaitedCompletion } = nodeOf(graph, id);
  const { service: after, effects } = transition(before, input, {
    at: draft.at,
    settings,
    awaitedCompletion,
  });
  draft.effects.push(...effects.map(spawnedInPlace(inPlace(after))));
  if (after === before) return;
  put(draft, after);
  const move = { before, after, input };
  draft.moves.push(move);
  draft.work.push(move);
};
