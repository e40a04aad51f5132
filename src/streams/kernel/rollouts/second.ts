// How the kernel drives the second run of a rollout: through the same table as the service itself.
import type { ServiceId } from '../../domain/ids.ts';
import type { Rollout, Service } from '../../domain/service/service.ts';
import { secondInPlace, spawnedInPlace } from '../../rollout/in-place.ts';
import { isForwards } from '../../rollout/impulse.ts';
import { highestRun } from '../../rollout/runs.ts';
import type { Input } from '../../service/input.ts';
import { presentRun } from '../../service/input.ts';
import { transition } from '../../service/machine.ts';
import { find, put, type Draft } from '../draft.ts';

/** Keeps the last output, which is reported if the candidate fails. */
const evidenceOf = (rollout: Rollout, input: Input): Rollout['evidence'] =>
  input.type === 'surveyed' && input.alive.length === 0 ? input.evidence : rollout.evidence;

const withSecond = (service: Service, rollout: Rollout, input: Input): Service => {
  const begun = isForwards(rollout) && 'run' in rollout.other.actual;
  const candidate = begun ? { candidate: presentRun(rollout.other) } : {};
  const after = { ...service, rollout: { ...rollout, ...candidate, evidence: evidenceOf(rollout, input) } };
  return { ...after, numbered: highestRun(after) };
};

/** Sends one input to the second run of the service's rollout; without a rollout it is outdated. */
export const sendSecond = (draft: Draft, id: ServiceId, input: Input): void => {
  const before = find(draft, id);
  if (before?.rollout === undefined) return;
  const { settings } = draft.state;
  const other = { ...before.rollout.other, numbered: highestRun(before) };
  const moved = transition(other, input, { at: draft.at, settings, awaitedCompletion: false });
  const [was, is] = [other, moved.service].map((run) => secondInPlace(before, run));
  if (was === undefined || is === undefined) return;
  draft.effects.push(...moved.effects.map(spawnedInPlace(is)));
  if (moved.service === other) return;
  const after = withSecond(before, { ...before.rollout, other: moved.service }, input);
  put(draft, after);
  draft.rollouts.push({ before: was, after: is, input });
  draft.work.push({ before, after });
};
