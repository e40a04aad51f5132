// A candidate begins when what it needs is there. It does not pass the gate: it is one, and somebody asked for it.
import type { ServiceId } from '../../domain/ids.ts';
import { find, type Draft } from '../draft.ts';
import { needsOf } from '../needs.ts';
import { sendSecond } from './second.ts';

export const admitSecond = (draft: Draft, id: ServiceId): void => {
  const other = find(draft, id)?.rollout?.other;
  if (other?.actual.tag !== 'waiting' || other.wanted === 'down') return;
  const needs = needsOf(draft, id);
  if (needs.tag === 'skipped') sendSecond(draft, id, { type: 'pass-over', dependency: needs.by });
  if (needs.tag === 'there') sendSecond(draft, id, { type: 'admit' });
};
