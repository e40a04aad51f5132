// The history of a service with causes: changes of its public state, and incidents without a change.
import type { Incident } from '../domain/service/history-facts.ts';
import type { Service, Transition } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import type { StateWord, TransitionDocument } from '../wire/documents/documents.ts';
import { causeText } from './words/cause-text.ts';
import { incidentText } from './words/incident-text.ts';
import { timeText } from './words/time-text.ts';
import { pastWord } from './words/public-words.ts';

type Told = readonly [at: Instant, document: TransitionDocument];

/** Ends that were not requested: `surveyed` is not their cause. */
const UNASKED: ReadonlySet<Transition['to']> = new Set(['scheduled', 'backing-off', 'broken', 'casualty']);
const isUnasked = ({ to, down }: Transition): boolean =>
  UNASKED.has(to) || (to === 'down' && down !== undefined && down !== 'asked');

/** The cause of a move; for the end of a run, the cause of its stop. */
const reasonOf = (move: Transition, before: Transition | undefined): string | null => {
  const ended = move.cause === 'surveyed' && before?.to === 'stopping' && isUnasked(move);
  const why = causeText(ended ? before : move);
  return ended && why !== null && move.to === 'broken' ? `max_restarts is spent: ${why}` : why;
};

const isUnseen = (stop: Transition | undefined): boolean =>
  stop?.facts !== undefined && 'status' in stop.facts && stop.facts.status.tag === 'unknown';

/** The state after a move that ended what `stop` had begun. */
const wordAfter = ({ to, down }: Transition, stop: Transition | undefined): StateWord =>
  down === 'failed' && isUnseen(stop) ? 'lost' : pastWord(to, down);

/** Skips moves between two states with the same word. */
const movesOf = (history: readonly Transition[]): readonly Told[] =>
  history.flatMap((move, index): readonly Told[] => {
    const { at, from, cause } = move;
    const last = history[index - 1];
    // The runs of a rollout share one history: a move that does not continue the last one begins a new chain.
    const before = last?.to === from ? wordAfter(last, history[index - 2]) : pastWord(from);
    const after = wordAfter(move, last);
    if (before === after) return [];
    return [[at, { at: timeText(at), from: before, to: after, cause, reason: reasonOf(move, last) }]];
  });

const incidentOf = (incident: Incident, service: Service): Told => {
  const { at, during, cause } = incident;
  const word = pastWord(during);
  return [at, { at: timeText(at), from: word, to: word, cause, reason: incidentText(incident, service) }];
};

/** The entries by time. At the same moment incidents come first: they may be the cause of a move. */
export const historyDocument = (service: Service): readonly TransitionDocument[] =>
  [...(service.incidents ?? []).map((incident) => incidentOf(incident, service)), ...movesOf(service.history)]
    .toSorted(([one], [other]) => one - other)
    .map(([, document]) => document);

/** True for an incident: it changed no state. */
export const isStill = ({ from, to }: Pick<TransitionDocument, 'from' | 'to'>): boolean => from === to;
