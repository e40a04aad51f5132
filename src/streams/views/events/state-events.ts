// Events about states: one event for each change of a service's public state, and one for each removed
// service.
import { nameOf } from '../../domain/ids.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { ServiceOrRun, Tag } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';
import type { Departure, RunMove } from '../../kernel/after-step/state-change.ts';
import { originOf } from '../../service/state-history.ts';
import { troubleOf } from '../service-document.ts';
import type { LookUp } from '../state-snapshot.ts';
import { becauseOf } from '../words/because-of.ts';
import { causeText } from '../words/cause-text.ts';
import { reasonOf } from '../words/reason.ts';
import { timeText } from '../words/time-text.ts';
import { healthWord, pastWord, stateWord } from '../words/public-words.ts';
import type { StateWord } from '../../wire/documents/documents.ts';
import type { EventDocument } from '../../wire/documents/event-document.ts';

/** The data that an event needs in addition to the state change: the time and the other services. */
export interface EventContext {
  readonly at: Instant;
  /** Finds a service by its id. The service is as it is after the change. */
  readonly byId: LookUp;
}

/**
 * The states for which the reason of the state says more to users than the cause of the last state change.
 */
const TELLING: ReadonlySet<Tag> = new Set<Tag>([
  'down',
  'scheduled',
  'waiting',
  'backing-off',
  'broken',
  'casualty',
]);

const wordBefore = ({ actual }: Run): StateWord =>
  pastWord(actual.tag, actual.tag === 'down' ? actual.why.tag : undefined);

const reasonIn = (after: ServiceOrRun, { at, byId }: EventContext): string | null => {
  if (TELLING.has(after.actual.tag)) return reasonOf(after, { now: at, byId });
  const last = after.history.at(-1);
  return last === undefined ? null : causeText(last);
};

/**
 * Returns the event for a state change. The event is made as one object literal for speed, because many
 * services can change at once.
 */
const moved = ({ before, after, input }: RunMove, context: EventContext): EventDocument => {
  const { actual, spec, runs } = after;
  const origin = originOf(after, input);
  return {
    schema: 'sup.event/1',
    at: timeText(context.at),
    kind: 'state',
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
    rollout: null,
    ...(origin !== undefined && { origin }),
  };
};

const departed = ({ before }: Departure, { at }: EventContext): EventDocument => ({
  schema: 'sup.event/1',
  at: timeText(at),
  kind: 'state',
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
  rollout: null,
});

/** Returns the event for a state change or removal. The list is empty if the public state did not change. */
export const stateEvents = (each: RunMove | Departure, context: EventContext): readonly EventDocument[] => {
  if (each.after === undefined) return [departed(each, context)];
  if (each.before.actual.tag === each.after.actual.tag) return [];
  const event = moved(each, context);
  return event.from === event.to ? [] : [event];
};
