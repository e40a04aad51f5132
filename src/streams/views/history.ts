// What became of a service, in public words, with what caused each: its moves, and what happened without one.
import type { Incident } from '../domain/service/incident.ts';
import type { Service, Transition } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import type { StateWord, TransitionDocument } from '../wire/documents/documents.ts';
import { causeText } from './words/cause-text.ts';
import { incidentText } from './words/incident-text.ts';
import { timeText } from './words/time-text.ts';
import { pastWord } from './words/words.ts';

type Told = readonly [at: Instant, document: TransitionDocument];

/** Ends that were not asked for: that all of it is gone is not why. */
const UNASKED: ReadonlySet<Transition['to']> = new Set(['scheduled', 'backing-off', 'broken', 'casualty']);
const isUnasked = ({ to, down }: Transition): boolean =>
  UNASKED.has(to) || (to === 'down' && down !== undefined && down !== 'asked');

/** Why it moved; of the end of a run, why that was brought about. */
const reasonOf = (move: Transition, before: Transition | undefined): string | null => {
  const ended = move.cause === 'surveyed' && before?.to === 'stopping' && isUnasked(move);
  const why = causeText(ended ? before : move);
  return ended && why !== null && move.to === 'broken' ? `max_restarts is spent: ${why}` : why;
};

const isUnseen = (stop: Transition | undefined): boolean =>
  stop?.facts !== undefined && 'status' in stop.facts && stop.facts.status.tag === 'unknown';

/** What it was after a move, which ended what `stop` had begun. */
const wordAfter = ({ to, down }: Transition, stop: Transition | undefined): StateWord =>
  down === 'failed' && isUnseen(stop) ? 'lost' : pastWord(to, down);

/** Moves between two states that have the same word are nobody's business. */
const movesOf = (history: readonly Transition[]): readonly Told[] =>
  history.flatMap((move, index): readonly Told[] => {
    const { at, from, cause } = move;
    const last = history[index - 1];
    // The runs of a rollout have one history: what is behind the other run's last move begins anew.
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

/** In the order of time; of the same moment first what moved nobody, for it may be why somebody moved. */
export const historyDocument = (service: Service): readonly TransitionDocument[] =>
  [...(service.incidents ?? []).map((incident) => incidentOf(incident, service)), ...movesOf(service.history)]
    .toSorted(([one], [other]) => one - other)
    .map(([, document]) => document);

/** It is no move: something happened, and the state stayed. */
export const isStill = ({ from, to }: Pick<TransitionDocument, 'from' | 'to'>): boolean => from === to;
