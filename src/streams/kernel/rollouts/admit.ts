// A candidate begins when what it needs is there. It does not pass the gate: it is one, and somebody asked for it.
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { find, type Draft } from '../draft.ts';
import { needsOf } from '../needs.ts';
import { sendSecond } from './second.ts';

/** Nobody begins beside what is left of an earlier run. */
const isWaiting = ({ rollout, remnants }: Service): boolean =>
  remnants === undefined && rollout?.other.actual.tag === 'waiting' && rollout.other.wanted === 'up';

/** The second run of a rollout waits for its dependencies as any run, but never for the gate. */
export const admitSecond = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service === undefined || !isWaiting(service)) return;
  const needs = needsOf(draft, id);
  if (needs.tag === 'skipped') sendSecond(draft, id, { type: 'pass-over', dependency: needs.by });
  if (needs.tag === 'there') sendSecond(draft, id, { type: 'admit' });
};
