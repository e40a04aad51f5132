// Decides when each message to a receiver of alerts is sent: at once, and after a failure again, with growing
// pauses. Messages about one service to one receiver keep their order. The number of waiting messages and the
// number of attempts are limited.
// Rules: `docs/behaviour.md`, "Alerts", "Retries", "Limits"; `docs/behaviour.md`, "Alerts", "When the
// supervisor ends".
import type { AlertCause, AlertSpec } from '../domain/declared/spec.ts';
import { earlier, ms, type Ms, plus, seconds, type Instant } from '../domain/time.ts';
import { overAt, receiverKey, type OpenIncident } from './incidents.ts';

/**
 * The pauses before the second, third, fourth and fifth attempt. The five attempts take about eight minutes.
 */
const PAUSES = [seconds(5), seconds(30), seconds(120), seconds(300)] as const;
/**
 * The maximum share of a pause that is added to the pause, so that many supervisors do not retry together.
 */
const JITTER = 0.25;
const LONGEST_PAUSE = ms(300_000 * (1 + JITTER));
/**
 * The maximum number of attempts at the same time. Receivers that hang must not occupy all threads of the
 * pool of Node, because name lookups need these threads, too.
 */
const MOST_AT_ONCE = 2;
/** The maximum number of waiting messages. Messages above this number are given up. */
const MOST_WAITING = 200;
/** The maximum age of a message for another attempt. An older message is out of date and is given up. */
const OLDEST = ms(24 * 3_600_000);
/** The number of failing receivers that are remembered for `sup doctor`. */
const MOST_FAILING = 50;

/**
 * What a message is about. It is used for the environment of a command, for headers, and for the event about
 * the delivery.
 */
export interface Subject {
  readonly cause: AlertCause | 'test';
  readonly project: string;
  readonly service: string;
  readonly run: number | null;
  readonly code: string | null;
}

/** A message to one receiver. `body`: the JSON document that the receiver gets. */
export interface Message {
  readonly alert: AlertSpec;
  readonly about: Subject;
  readonly body: string;
}

export interface Delivery extends Message {
  /** Identifies the message for its receiver. All attempts have this id. */
  readonly id: string;
  readonly created: Instant;
  /** The number of the attempt in progress, or of the next one. The first is 1. */
  readonly attempt: number;
  readonly due: Instant;
  /** Present while an attempt is in progress. */
  readonly sending?: true;
}

/** The last failure to deliver to a receiver. A message that the receiver accepts removes this record. */
export interface Failing {
  readonly to: AlertSpec['to'];
  readonly at: Instant;
  readonly detail: string;
}

/** The state of alerts that is kept for the next supervisor. */
export interface AlertState {
  readonly open: readonly OpenIncident[];
  readonly deliveries: readonly Delivery[];
  readonly serial: number;
  readonly failing: readonly Failing[];
}

export const NO_ALERTS: AlertState = { open: [], deliveries: [], serial: 0, failing: [] };

/** A message for which no further attempt follows. */
export interface Settled {
  readonly message: Message;
  /** The number of attempts. It is 0 if too many messages were waiting. */
  readonly attempts: number;
  /** Why the message was given up. Absent if the receiver accepted it. */
  readonly failure?: string | undefined;
}

interface Changed {
  readonly state: AlertState;
  readonly settled: readonly Settled[];
}

/** Adds messages to the queue. Gives up the messages above the maximum number of waiting messages. */
export const enqueue = (state: AlertState, messages: readonly Message[], at: Instant): Changed => {
  if (messages.length === 0) return { state, settled: [] };
  const taken = messages.slice(0, Math.max(0, MOST_WAITING - state.deliveries.length));
  const fresh = taken.map((message, index): Delivery => ({
    ...message,
    id: `${at.toString(36)}-${state.serial + index + 1}`,
    created: at,
    attempt: 1,
    due: at,
  }));
  return {
    state: {
      ...state,
      serial: state.serial + taken.length,
      deliveries: [...state.deliveries, ...fresh],
    },
    settled: messages
      .slice(taken.length)
      .map((message) => ({ message, attempts: 0, failure: `${MOST_WAITING} alerts wait already` })),
  };
};

/**
 * Returns the key of a queue. The messages of a queue are sent one after another, so that the end of an
 * incident cannot overtake its begin.
 */
const lineOf = ({ alert, about }: Message): string =>
  JSON.stringify([receiverKey(alert), about.project, about.service]);

/** True if the delivery is due, or if its time is too far ahead because the clock was set back. */
const isDue = ({ due }: Delivery, at: Instant): boolean => due <= at || due - at > LONGEST_PAUSE;

const firstsOf = (deliveries: readonly Delivery[]): readonly Delivery[] => {
  const lines = new Set<string>();
  return deliveries.filter((each) => {
    const line = lineOf(each);
    if (lines.has(line)) return false;
    lines.add(line);
    return true;
  });
};

/** Begins the attempts that are due, up to the maximum number of attempts at the same time. */
export const takeDue = (
  state: AlertState,
  at: Instant,
): { readonly state: AlertState; readonly begun: readonly Delivery[] } => {
  const free = MOST_AT_ONCE - state.deliveries.filter(({ sending }) => sending === true).length;
  const begun = firstsOf(state.deliveries)
    .filter((each) => each.sending === undefined && isDue(each, at))
    .slice(0, Math.max(0, free));
  if (begun.length === 0) return { state, begun };
  const deliveries = state.deliveries.map((each) =>
    begun.includes(each) ? { ...each, sending: true as const } : each,
  );
  return { state: { ...state, deliveries }, begun };
};

/**
 * Returns a number from 0 to 1 that is the same for each call with this text, so that a pause does not
 * change.
 */
const shareOf = (text: string): number => {
  let hash = 0;
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return hash / 1_000_003;
};

const pauseAfter = ({ id, attempt }: Delivery): Ms | undefined => {
  const pause = PAUSES[attempt - 1];
  return pause === undefined ? undefined : ms(Math.round(pause * (1 + JITTER * shareOf(`${id}.${attempt}`))));
};

/**
 * Returns the message after a failed attempt, with the number and time of the next attempt; `undefined` if it
 * is given up.
 */
const againAfter = (delivery: Delivery, at: Instant): Delivery | undefined => {
  const { sending: _, ...rest } = delivery;
  const pause = pauseAfter(delivery);
  if (pause === undefined || at - delivery.created > OLDEST) return undefined;
  return { ...rest, attempt: delivery.attempt + 1, due: plus(at, pause) };
};

const failingAfter = (
  { failing }: AlertState,
  { alert }: Delivery,
  failed: Omit<Failing, 'to'> | undefined,
): readonly Failing[] => {
  const others = failing.filter((one) => receiverKey(one) !== receiverKey(alert));
  return failed === undefined ? others : [...others, { to: alert.to, ...failed }].slice(-MOST_FAILING);
};

export interface Attempted {
  readonly id: string;
  /** Why the attempt failed. Absent if the receiver accepted the message. */
  readonly failure?: string | undefined;
}

/** Handles the result of an attempt: the message was sent, is given up, or is tried again later. */
export const attempted = (state: AlertState, { id, failure }: Attempted, at: Instant): Changed => {
  const delivery = state.deliveries.find((each) => each.id === id);
  if (delivery === undefined) return { state, settled: [] };
  const again = failure === undefined ? undefined : againAfter(delivery, at);
  return {
    state: {
      ...state,
      deliveries: state.deliveries.flatMap((each) => (each === delivery ? (again ?? []) : each)),
      failing: failingAfter(state, delivery, failure === undefined ? undefined : { at, detail: failure }),
    },
    settled: again === undefined ? [{ message: delivery, attempts: delivery.attempt, failure }] : [],
  };
};

const isAbout = ({ service, alert }: OpenIncident, { alert: to, about }: Message): boolean =>
  service === `${about.project}/${about.service}` && receiverKey(alert) === receiverKey(to);

const withOutcome = (
  { undelivered: _, ...incident }: OpenIncident,
  { message: { about }, attempts, failure: detail }: Settled,
  at: Instant,
): OpenIncident => {
  if (detail === undefined || about.cause === 'test') return incident;
  return { ...incident, undelivered: { at, cause: about.cause, attempts, detail } };
};

/**
 * Records in the open incidents whether their messages were delivered. Messages about the end of an incident
 * are left out, because their incident is no longer open.
 */
export const withOutcomes = (state: AlertState, settled: readonly Settled[], at: Instant): AlertState => {
  const news = settled.filter(({ message: { about } }) => about.cause !== 'recovered');
  if (news.length === 0) return state;
  const open = state.open.map((incident) => {
    const outcome = news.findLast(({ message }) => isAbout(incident, message));
    return outcome === undefined ? incident : withOutcome(incident, outcome, at);
  });
  return { ...state, open };
};

/**
 * Returns the state with which a new supervisor continues. An attempt without a known result is made again.
 */
export const resumed = (state: AlertState): AlertState => ({
  ...state,
  deliveries: state.deliveries.map(({ sending: _, ...delivery }) => delivery),
});

/** Returns the time of the next attempt or end of an incident; `undefined` if no such time is known now. */
export const nextDue = ({ open, deliveries }: AlertState, at: Instant): Instant | undefined => {
  const isFull = deliveries.filter(({ sending }) => sending === true).length >= MOST_AT_ONCE;
  const waiting = isFull ? [] : firstsOf(deliveries).filter(({ sending }) => sending === undefined);
  const times = [
    ...open.flatMap((incident) => overAt(incident) ?? []),
    ...waiting.map((each) => (isDue(each, at) ? at : each.due)),
  ];
  return times.length === 0 ? undefined : times.reduce(earlier);
};
