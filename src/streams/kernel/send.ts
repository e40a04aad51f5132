// Sends inputs to runs: the state table computes each change, and the draft stores it.
import type { ServiceId } from '../domain/ids.ts';
import type { WhichRun } from '../domain/service/service-run.ts';
import type { Service } from '../domain/service/service.ts';
import { nodeOf } from '../graph/graph.ts';
import { resolvedRun, spawnedWith } from '../rollout/placeholders.ts';
import { highestRun, withOther } from '../rollout/two-runs.ts';
import type { CellContext, Input } from '../service/service-input.ts';
import { transition } from '../service/service-machine.ts';
import type { Move } from './after-step/state-change.ts';
import { find, put, type Draft } from './draft.ts';

/** Returns the facts that the state table reads. A candidate that exits never counts as completed. */
const contextOf = (
  { at, state: { settings, graph } }: Draft,
  id: ServiceId,
  which: WhichRun,
): CellContext => ({
  at,
  settings,
  awaitedCompletion: which === 'current' && nodeOf(graph, id).awaitedCompletion,
});

interface Sent {
  readonly service: Service;
  readonly effects: ReturnType<typeof transition>['effects'];
}

const sentToOther = (service: Service, input: Input, context: CellContext): Sent => {
  const { rollout } = service;
  if (rollout === undefined) return { service, effects: [] };
  const other = { ...rollout.other, numbered: highestRun(service) };
  const { service: moved, effects } = transition(other, input, context);
  return {
    service: moved === other ? service : withOther(service, { rollout, other: moved, input }),
    effects,
  };
};

/**
 * Adds the state change of a run to the draft. In the declaration of a second run, placeholders are replaced
 * by their values first.
 */
const record = (draft: Draft, which: WhichRun, move: Move): void => {
  if (which === 'current') draft.moves.push(move);
  const [before, after] = [move.before, move.after].map((service) => resolvedRun(service, 'other'));
  if (which === 'other' && before && after) draft.rollouts.push({ before, after, input: move.input });
};

/** Identifies a run by its service and its role (current or other), not by its number. */
export interface RunAddress {
  readonly service: ServiceId;
  readonly which: WhichRun;
}

/** Sends an input to a run of a service. Drops the input as outdated if the service has no such run. */
export const sendTo = (draft: Draft, { service: id, which }: RunAddress, input: Input): void => {
  const before = find(draft, id);
  if (before === undefined) return;
  const context = contextOf(draft, id, which);
  const sent = which === 'current' ? transition(before, input, context) : sentToOther(before, input, context);
  const after = sent.service;
  const run = resolvedRun(after, which);
  if (run !== undefined) draft.effects.push(...sent.effects.map(spawnedWith(run)));
  if (after === before) return;
  put(draft, after);
  record(draft, which, { before, after, input });
  draft.work.push({ before, after });
};

/** Sends an input to the current run of a service. */
export const send = (draft: Draft, service: ServiceId, input: Input): void =>
  sendTo(draft, { service, which: 'current' }, input);
