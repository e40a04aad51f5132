// The messages that receivers of alerts get, and the events about the delivery of these messages. Messages
// and events are documents `sup.event/1`.
import { errorSentence } from '../../domain/errors/error-sentence.ts';
import type { CommandError, ErrorCode } from '../../domain/errors/error.ts';
import type { AlertSpec } from '../../domain/declared/spec.ts';
import { listedText } from '../../domain/listed-text.ts';
import { nameOf, projectOf, shownId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { between, lengthText, type Instant } from '../../domain/time.ts';
import type { Message, Subject } from '../../alerts/deliveries.ts';
import { receiverKey, type IncidentEnd, type Notice, type OpenIncident } from '../../alerts/incidents.ts';
import type { EventDocument } from '../../wire/documents/event-document.ts';
import type { HealthWord, StateWord, UndeliveredDocument } from '../../wire/documents/basic-documents.ts';
import { errorDocument } from '../errors/error-text.ts';
import { troubleOf } from '../service-document.ts';
import { becauseOf } from '../words/because-of.ts';
import { maskedText } from '../words/masked-text.ts';
import { healthWord, stateWord } from '../words/public-words.ts';
import { reasonOf } from '../words/reason.ts';
import { timeText } from '../words/time-text.ts';
import type { EventContext } from './state-events.ts';

/** The number of characters of a command that are shown as the name of a receiver. */
const MOST_SHOWN = 60;

/** Returns the name of a receiver for users. For a URL it is only the host: the path is often secret. */
export const receiverText = (to: AlertSpec['to']): string => {
  if (to.tag === 'url') {
    const [, scheme = '', host = ''] = /^(https?:\/\/)(?:[^/?#]*@)?([^/?#]*)/i.exec(to.url) ?? [];
    return `${scheme}${host}`;
  }
  const [line = ''] = maskedText(to.command).split('\n');
  return `the command "${line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN - 1)}…` : line}"`;
};

const NOTHING = {
  schema: 'sup.event/1',
  kind: 'alert',
  child: null,
  from: null,
  to: null,
  health: 'unknown',
  run: null,
  pid: null,
  reason: null,
  code: null,
  because_of: [],
  rollout: null,
} as const satisfies Partial<EventDocument>;

const END_WORDS: Readonly<Record<IncidentEnd, string>> = {
  steady: 'ready and healthy',
  ended: 'ended successfully',
  stopped: 'stopped on request',
  removed: 'it is not declared any more',
};

/** Returns the trouble: the sentence of the error, or, if there is no error, the reason for the state. */
const troubleIn = (service: Service, { incident }: Notice, context: EventContext): Trouble => {
  const error =
    incident.cause === 'rollout-failed' ? service.rollouts?.at(-1)?.error : troubleOf(service, context.at);
  if (error !== undefined) return { reason: errorSentence(error), code: error.code };
  return { reason: reasonOf(service, { now: context.at, byId: context.byId }), code: null };
};

interface Trouble {
  readonly reason: string | null;
  readonly code: ErrorCode | null;
}

const stateOf = (
  service: Service,
  { byId }: EventContext,
): Pick<EventDocument, 'to' | 'health' | 'run' | 'pid' | 'because_of'> => {
  const { actual, runs } = service;
  const word: StateWord = stateWord(service);
  const health: HealthWord = healthWord(service);
  const pid = 'process' in actual ? actual.process.pid : null;
  return { to: word, health, run: runs, pid, because_of: becauseOf(service, byId).map(nameOf) };
};

/**
 * Returns the message for the begin or end of an incident. Its field `cause` has a word that the key `on` of
 * the manifest accepts.
 */
const alertDocument = (notice: Notice, context: EventContext): EventDocument => {
  const { incident, end } = notice;
  const service = context.byId(incident.service);
  const lasted = lengthText(between(incident.since, context.at));
  return {
    ...NOTHING,
    at: timeText(context.at),
    project: projectOf(incident.service),
    service: nameOf(incident.service),
    ...(service && stateOf(service, context)),
    ...(end === undefined && service && troubleIn(service, notice, context)),
    ...(end !== undefined && {
      reason: `${END_WORDS[end]}; the incident lasted ${lasted} (${incident.cause})`,
    }),
    cause: end === undefined ? incident.cause : 'recovered',
  };
};

/** Returns the message to a receiver. */
export const alertMessage = (notice: Notice, context: EventContext): Message => {
  const document = alertDocument(notice, context);
  const { run, code } = document;
  const { incident, end } = notice;
  return {
    alert: incident.alert,
    about: {
      ...{ cause: end === undefined ? incident.cause : 'recovered', run, code },
      ...{ project: projectOf(incident.service), service: nameOf(incident.service) },
    },
    body: JSON.stringify(document),
  };
};

/** Returns a message that only tests a receiver. */
export const testMessage = (alert: AlertSpec, at: Instant): Message => {
  const about: Subject = { cause: 'test', project: '', service: '', run: null, code: null };
  const reason = 'a test by sup validate --test-alerts: nothing happened';
  const document = { ...NOTHING, at: timeText(at), project: null, service: null, cause: 'test', reason };
  return { alert, about, body: JSON.stringify(document) };
};

const eventAbout = ({ about }: Message, at: Instant): Omit<EventDocument, 'cause' | 'reason'> => ({
  ...NOTHING,
  at: timeText(at),
  project: about.project,
  service: about.service,
  run: about.run,
});

/** Returns the event which says that the receiver got the message. */
export const sentEvent = (message: Message, at: Instant): EventDocument => ({
  ...eventAbout(message, at),
  cause: 'alert-sent',
  reason: `${message.about.cause}: sent to ${receiverText(message.alert.to)}`,
});

/** Returns the error for a message that could not be delivered. */
export const notDelivered = (
  { alert }: Pick<Message, 'alert'>,
  attempts: number,
  detail: string,
): Extract<CommandError, { code: 'ERR0127' }> => ({
  code: 'ERR0127',
  to: receiverText(alert.to),
  attempts,
  detail,
});

/** Returns the undelivered message about this incident as a list. The list is empty if there is none. */
export const undeliveredDocument = ({ alert, undelivered }: OpenIncident): readonly UndeliveredDocument[] => {
  if (undelivered === undefined) return [];
  const { at, cause, attempts, detail } = undelivered;
  return [{ at: timeText(at), cause, error: errorDocument(notDelivered({ alert }, attempts, detail)) }];
};

/** The maximum number of services that a warning names. If there are more, a warning says only how many. */
const MOST_SERVICES = 3;

/** Returns one warning for each receiver that did not get a message about an open incident. */
export const undeliveredTexts = (open: readonly OpenIncident[]): readonly string[] => {
  const byReceiver = new Map<string, OpenIncident[]>();
  for (const incident of open) {
    const key = receiverKey(incident.alert);
    if (incident.undelivered !== undefined) byReceiver.set(key, [...(byReceiver.get(key) ?? []), incident]);
  }
  return [...byReceiver.values()].flatMap((incidents) => {
    const last = incidents.at(-1);
    const ids = incidents.map(({ service }) => shownId(service));
    if (last?.undelivered === undefined) return [];
    return [
      `no alert about ${listedText(ids, MOST_SERVICES)} reached ${receiverText(last.alert.to)}: ${last.undelivered.detail}`,
    ];
  });
};

/** Returns the event for a message that could not be delivered. */
export const notDeliveredEvent = (
  message: Message,
  error: ReturnType<typeof notDelivered>,
  at: Instant,
): EventDocument => ({
  ...eventAbout(message, at),
  cause: 'alert-failed',
  reason: `${message.about.cause}: ${errorSentence(error)}`,
  code: error.code,
});
