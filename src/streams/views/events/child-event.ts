// Rules: `docs/behaviour.md`, "Children that a service asks for", "When it ends".
import type { Child, PastChild } from '../../domain/service/child.ts';
import type { ChildTurn } from '../../kernel/after-step/state-change.ts';
import type { EventDocument } from '../../wire/documents/event-document.ts';
import { endWord } from '../children-document.ts';
import { childEndText } from '../words/cause-text.ts';
import { timeText } from '../words/time-text.ts';
import type { EventContext } from './state-events.ts';

interface ChildFacts extends Pick<EventDocument, 'from' | 'to' | 'pid' | 'cause' | 'reason' | 'code'> {
  readonly one: Child | PastChild;
}

const childFacts = ({ child, past }: ChildTurn): ChildFacts => {
  if (child !== undefined) {
    const { actual } = child;
    const pid = 'process' in actual ? actual.process.pid : null;
    return { one: child, from: null, to: 'running', pid, cause: 'child-began', reason: null, code: null };
  }
  const { pid, error } = past;
  const to = endWord(past);
  const reason = childEndText(past);
  const from = pid === undefined ? 'starting' : 'running';
  return { one: past, from, to, pid: pid ?? null, cause: 'child-ended', reason, code: error?.code ?? null };
};

/** Returns the event for a child that began or ended. */
export const childEvent = (turn: ChildTurn, { at }: Pick<EventContext, 'at'>): EventDocument => {
  const { one, ...facts } = childFacts(turn);
  const { spec } = turn.service;
  return {
    schema: 'sup.event/1',
    at: timeText(at),
    kind: 'child',
    project: spec.project,
    service: spec.name,
    child: one.name,
    health: 'unknown',
    run: one.run,
    because_of: [],
    rollout: null,
    ...facts,
  };
};
