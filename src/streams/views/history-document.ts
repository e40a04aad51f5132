// The history of a service as a document: the changes of its public state with their causes, and incidents
// that changed no state.
import type { Incident } from '../domain/service/history-facts.ts';
import type { Service, Transition } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import type { StateWord, TransitionDocument } from '../wire/documents/documents.ts';
import { causeText } from './words/cause-text.ts';
import { incidentText } from './words/incident-text.ts';
import { timeText } from './words/time-text.ts';
import { pastWord } from './words/public-words.ts';

type HistoryEntry = readonly [at: Instant, document: TransitionDocument];

/**
 * The states that follow a run which ended by itself. Their recorded cause is the end of the last process,
 * which does not explain the state.
 */
const UNASKED: ReadonlySet<Transition['to']> = new Set(['scheduled', 'backing-off', 'broken', 'casualty']);
const isUnasked = ({ to, down }: Transition): boolean =>
  UNASKED.has(to) || (to === 'down' && down !== undefined && down !== 'asked');

/**
 * Returns the cause of a state change in words. For the end of a run, this is the reason why the run was
 * stopped or ended.
 */
const reasonOf = (move: Transition, before: Transition | undefined): string | null => {
  const ended = move.cause === 'surveyed' && before?.to === 'stopping' && isUnasked(move);
  const why = causeText(ended ? before : move);
  return ended && why !== null && move.to === 'broken' ? `max_restarts is spent: ${why}` : why;
};

const isUnseen = (stop: Transition | undefined): boolean =>
  stop?.facts !== undefined && 'status' in stop.facts && stop.facts.status.tag === 'unknown';

/**
 * Returns the public state after a change. `stop`: the previous change, which may be the begin of the stop.
 */
const wordAfter = ({ to, down }: Transition, stop: Transition | undefined): StateWord =>
  down === 'failed' && isUnseen(stop) ? 'lost' : pastWord(to, down);

/** Returns the changes of the public state. Changes that are only internal are left out. */
const movesOf = (history: readonly Transition[]): readonly HistoryEntry[] =>
  history.flatMap((move, index): readonly HistoryEntry[] => {
    const { at, from, cause } = move;
    const last = history[index - 1];
    // During a rollout the history has the changes of both runs. An entry belongs to the other run if it does
    // not begin in the state in which the previous entry ended.
    const before = last?.to === from ? wordAfter(last, history[index - 2]) : pastWord(from);
    const after = wordAfter(move, last);
    if (before === after) return [];
    return [[at, { at: timeText(at), from: before, to: after, cause, reason: reasonOf(move, last) }]];
  });

const incidentOf = (incident: Incident, service: Service): HistoryEntry => {
  const { at, during, cause } = incident;
  const word = pastWord(during);
  return [at, { at: timeText(at), from: word, to: word, cause, reason: incidentText(incident, service) }];
};

/**
 * Returns all entries, oldest first. If an incident and a state change are of the same moment, the incident
 * comes first, because it may be the cause.
 */
export const historyDocument = (service: Service): readonly TransitionDocument[] =>
  [...(service.incidents ?? []).map((incident) => incidentOf(incident, service)), ...movesOf(service.history)]
    .toSorted(([one], [other]) => one - other)
    .map(([, document]) => document);

/** True for an incident, which did not change the state. */
export const isStill = ({ from, to }: Pick<TransitionDocument, 'from' | 'to'>): boolean => from === to;
