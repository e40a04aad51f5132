// What happened to services, in words that need nothing else to be understood: one document for each move from one public
// state to another, and for each departure.
import { nameOf } from '../domain/ids.ts';
import type { Service, Tag } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import type { Child, PastChild } from '../domain/service/child.ts';
import { isMove, type ChildTurn, type Departure, type Move } from '../kernel/derived/move.ts';
import type { StateWord } from '../wire/documents.ts';
import type { EventDocument } from '../wire/event-document.ts';
import { endWord } from './children.ts';
import { childEndText } from './words/child-end-text.ts';
import { troubleOf } from './service-document.ts';
import type { LookUp } from './snapshot.ts';
import { becauseOf } from './words/because-of.ts';
import { causeText } from './words/cause-text.ts';
import { reasonOf } from './words/reason.ts';
import { timeText } from './words/time-text.ts';
import { healthWord, pastWord, stateWord } from './words/words.ts';

export interface EventContext {
  readonly at: Instant;
  /** The services after the step. */
  readonly byId: LookUp;
}

/** States whose own reason tells more than the event that led there. */
const TELLING: ReadonlySet<Tag> = new Set<Tag>([
  'down',
  'scheduled',
  'waiting',
  'backing-off',
  'broken',
  'casualty',
]);

const wordBefore = ({ actual }: Service): StateWord =>
  pastWord(actual.tag, actual.tag === 'down' ? actual.why.tag : undefined);

const reasonIn = (after: Service, { at, byId }: EventContext): string | null => {
  if (TELLING.has(after.actual.tag)) return reasonOf(after, { now: at, byId });
  const last = after.history.at(-1);
  return last === undefined ? null : causeText(last);
};

/** Spelled out, key by key: of many at once this is what they cost. */
const moved = ({ before, after, input }: Move, context: EventContext): EventDocument => {
  const { actual, spec, runs } = after;
  return {
    schema: 'sup.event/1',
    at: timeText(context.at),
    project: spec.project,
    service: spec.name,
    child: null,
    from: wordBefore(before),
    to: stateWord(after),
    health: healthWord(after),
    run: runs,
    pid: 'process' in actual ? actual.process.pid : null,
    cause: input.type,
    reason: reasonIn(after, context),
    code: troubleOf(after, context.at)?.code ?? null,
    because_of: becauseOf(after, context.byId).map(nameOf),
  };
};

const departed = ({ before }: Departure, { at }: EventContext): EventDocument => ({
  schema: 'sup.event/1',
  at: timeText(at),
  project: before.spec.project,
  service: before.spec.name,
  child: null,
  from: wordBefore(before),
  to: null,
  health: 'unknown',
  run: before.runs,
  pid: null,
  cause: 'left',
  reason: 'it is not declared any more',
  code: null,
  because_of: [],
});

/** One document or none: moves between two states that have the same word are nobody's business. */
export const eventsOf = (each: Move | Departure, context: EventContext): readonly EventDocument[] => {
  if (!isMove(each)) return [departed(each, context)];
  if (each.before.actual.tag === each.after.actual.tag) return [];
  const event = moved(each, context);
  return event.from === event.to ? [] : [event];
};

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

interface ChildFacts extends Pick<EventDocument, 'from' | 'to' | 'pid' | 'cause' | 'reason' | 'code'> {
  readonly one: Child | PastChild;
}

/** A child began, or is over. */
export const childEvent = (turn: ChildTurn, at: Instant): EventDocument => {
  const { one, ...facts } = childFacts(turn);
  const { spec } = turn.service;
  return {
    schema: 'sup.event/1',
    at: timeText(at),
    project: spec.project,
    service: spec.name,
    child: one.name,
    health: 'unknown',
    run: one.run,
    because_of: [],
    ...facts,
  };
};

export interface SupervisorNews {
  readonly at: Instant;
  readonly pid: number;
  readonly to: 'running' | 'stopped';
  readonly version: string;
}

/** The supervisor itself began or ended in an orderly way. */
export const supervisorEvent = ({ at, pid, to, version }: SupervisorNews): EventDocument => ({
  schema: 'sup.event/1',
  at: timeText(at),
  project: null,
  service: null,
  child: null,
  from: null,
  to,
  health: 'unknown',
  run: null,
  pid,
  cause: to === 'running' ? 'supervisor-began' : 'supervisor-ended',
  reason: to === 'running' ? `the supervisor began, sup ${version}` : 'the supervisor ended',
  code: null,
  because_of: [],
});
