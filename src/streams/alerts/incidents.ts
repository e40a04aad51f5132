// Decides, for each receiver of alerts, which state changes begin and end an incident of a service. However
// often the service fails, an incident causes one message at its begin, one if it gets worse, and one at its
// end.
// Rules: `docs/behaviour.md`, "Alerts", "One message per incident", "Worse", "The end".
import type { AlertCause, AlertSpec } from '../domain/declared/spec.ts';
import { type ServiceId } from '../domain/ids.ts';
import type { Check } from '../domain/declared/health-check.ts';
import { type HealthProgress, shownHealth } from '../domain/service/service-state.ts';
import type { In, Service } from '../domain/service/service.ts';
import { plus, type Instant } from '../domain/time.ts';
import { isExhausted } from '../service/checks/health.ts';
import { failedRun } from '../domain/service/schedule.ts';

/** How an incident ended. `steady`: the service was ready and healthy for `recovered_after`. */
export type IncidentEnd = 'steady' | 'ended' | 'stopped' | 'removed';

/** A message that was given up. `attempts` is 0 if too many messages were waiting. */
export interface Undelivered {
  readonly at: Instant;
  readonly cause: AlertCause;
  readonly attempts: number;
  readonly detail: string;
}

/** An incident that has not ended, and about which the receiver was sent a message. */
export interface OpenIncident {
  readonly service: ServiceId;
  readonly alert: AlertSpec;
  readonly cause: AlertCause;
  readonly since: Instant;
  /** Since when the service has been ready and healthy. Absent while it is not. */
  readonly steadySince?: Instant;
  /** The last message about the incident. Present only if that message was given up. */
  readonly undelivered?: Undelivered;
}

/** A message to send: about the begin of an incident, or about its end. */
export interface Notice {
  readonly incident: OpenIncident;
  /** Present if the message is about the end of the incident. */
  readonly end?: IncidentEnd;
}

export interface Judged {
  readonly open: readonly OpenIncident[];
  readonly notices: readonly Notice[];
}

/** A service after a change. `service` is absent if the service was removed. */
interface Changed {
  readonly id: ServiceId;
  readonly service: Service | undefined;
  readonly at: Instant;
}

interface Trouble {
  readonly tag: 'trouble';
  readonly cause: AlertCause;
}

type Condition =
  | Trouble
  | { readonly tag: 'over'; readonly end: IncidentEnd }
  /** The service is ready and healthy. The incident ends if this lasts. */
  | { readonly tag: 'steady' }
  /** The service starts, stops or waits, or is down because of another service. */
  | { readonly tag: 'between' };

const trouble = (cause: AlertCause): Condition => ({ tag: 'trouble', cause });
const over = (end: IncidentEnd): Condition => ({ tag: 'over', end });
const BETWEEN: Condition = { tag: 'between' };

/** True if the last rollout failed, and the run that it should have replaced is still the current run. */
const isKept = ({ rollouts, runs }: Service): boolean => {
  const last = rollouts?.at(-1);
  return last?.outcome === 'failed' && last.old === runs;
};

/**
 * Returns the condition of a service with failing probes. An incident begins when the number of failures
 * reaches the limit of the check. Below this limit no incident begins, and an open incident does not end.
 */
const whileFailing = ({ health, alive }: In<'up'>, { spec }: Service, at: Instant): Condition => {
  const hasFailed = (progress?: HealthProgress, check?: Check): boolean =>
    progress !== undefined && check !== undefined && isExhausted(progress, check, at);
  const check = spec.deployment.healthCheck;
  return hasFailed(health, check) || hasFailed(alive, check?.liveness) ? trouble('unhealthy') : BETWEEN;
};

const whileUp = (state: In<'up'>, service: Service, at: Instant): Condition => {
  if (shownHealth(state).health === 'unhealthy') return whileFailing(state, service, at);
  if (isKept(service)) return trouble('rollout-failed');
  return service.wanted === 'up' ? { tag: 'steady' } : BETWEEN;
};

/** Returns the condition of a service that is down. */
const whileDown = (why: Extract<Service['actual'], { tag: 'down' }>['why']['tag']): Condition => {
  if (why === 'failed') return trouble('failed');
  return over(why === 'completed' || why === 'ended' ? 'ended' : 'stopped');
};

/**
 * True if a ready service is being stopped because it became unhealthy. False for a stop because of
 * `max_memory`, which is treated like a crash.
 */
const hasLostHealth = ({ cause }: In<'stopping'>): boolean =>
  cause.tag === 'unhealthy' && cause.wasReady && cause.error.code !== 'ERR0120';

const conditionOf = (service: Service, at: Instant): Condition => {
  const { actual } = service;
  switch (actual.tag) {
    case 'broken':
      return trouble('breaker-open');
    case 'down':
      return whileDown(actual.why.tag);
    case 'scheduled':
      return failedRun(service) === undefined ? over('ended') : trouble('failed');
    case 'up':
      return whileUp(actual, service, at);
    case 'stopping':
      return hasLostHealth(actual) ? trouble('unhealthy') : BETWEEN;
    default:
      return BETWEEN;
  }
};

/** Returns the identity of a receiver: its URL or command. Its other settings do not matter. */
export const receiverKey = ({ to }: Pick<AlertSpec, 'to'>): string =>
  to.tag === 'url' ? to.url : to.command;

const ended = (incident: OpenIncident, end: IncidentEnd): readonly Notice[] =>
  incident.alert.on.includes('recovered') ? [{ incident, end }] : [];

const NOTHING = { open: [], notices: [] } as const;

/** The causes that mean that the service is not restarted automatically. */
const GIVEN_UP: ReadonlySet<AlertCause> = new Set(['breaker-open', 'failed']);

const isWorse = (condition: Condition, { cause, alert }: OpenIncident): condition is Trouble =>
  condition.tag === 'trouble' &&
  GIVEN_UP.has(condition.cause) &&
  !GIVEN_UP.has(cause) &&
  alert.on.includes(condition.cause);

const withSteady = (incident: OpenIncident, isSteady: boolean, at: Instant): OpenIncident => {
  const { steadySince, ...rest } = incident;
  if (isSteady === (steadySince !== undefined)) return incident;
  return isSteady ? { ...rest, steadySince: at } : rest;
};

/**
 * Returns a copy of the incident in which the receiver has its newest declaration; `undefined` if the
 * receiver is not declared any more.
 */
const redeclared = (incident: OpenIncident, { spec }: Service): OpenIncident | undefined => {
  const alert = spec.alerts?.find((each) => receiverKey(each) === receiverKey(incident.alert));
  if (alert === undefined || alert === incident.alert) return alert && incident;
  return { ...incident, alert };
};

/**
 * Returns what happens to an open incident. An incident is dropped if its receiver is not declared any more.
 */
const continued = (known: OpenIncident, condition: Condition, { service, at }: Changed): Judged => {
  if (service === undefined) return { open: [], notices: ended(known, 'removed') };
  const incident = redeclared(known, service);
  if (incident === undefined) return NOTHING;
  if (condition.tag === 'over') return { open: [], notices: ended(incident, condition.end) };
  const next = withSteady(incident, condition.tag === 'steady', at);
  if (!isWorse(condition, next)) return { open: [next], notices: [] };
  const worse = { ...next, cause: condition.cause };
  return { open: [worse], notices: [{ incident: worse }] };
};

/**
 * Returns the incidents that begin: one for each receiver that lists the cause and has no open incident of
 * the service.
 */
const begun = (
  known: readonly OpenIncident[],
  { id, service, at }: Changed,
  cause: AlertCause,
): OpenIncident[] =>
  (service?.spec.alerts ?? [])
    .filter((alert) => alert.on.includes(cause))
    .filter((alert) => !known.some((one) => receiverKey(one.alert) === receiverKey(alert)))
    .map((alert) => ({ service: id, alert, cause, since: at }));

/**
 * Returns the open incidents after a change of one service, and the messages to send because of the change.
 * If the change affects no incident, `open` is the same list as before.
 */
export const judge = (open: readonly OpenIncident[], change: Changed): Judged => {
  const own = open.filter(({ service }) => service === change.id);
  if (own.length === 0 && change.service?.spec.alerts === undefined) return { open, notices: [] };
  const condition = change.service === undefined ? over('removed') : conditionOf(change.service, change.at);
  const each = own.map((incident) => continued(incident, condition, change));
  const fresh = condition.tag === 'trouble' ? begun(own, change, condition.cause) : [];
  const next = [...each.flatMap((one) => one.open), ...fresh];
  const isSame = next.length === own.length && next.every((incident, index) => incident === own[index]);
  return {
    open: isSame ? open : [...open.filter(({ service }) => service !== change.id), ...next],
    notices: [...each.flatMap(({ notices }) => notices), ...fresh.map((incident) => ({ incident }))],
  };
};

/**
 * Returns when the incident ends if its service stays ready and healthy until then; `undefined` if the
 * service is not ready and healthy now.
 */
export const overAt = ({ steadySince, alert }: OpenIncident): Instant | undefined =>
  steadySince === undefined ? undefined : plus(steadySince, alert.recoveredAfter);

/** Ends the incidents of services that have been ready and healthy for long enough. */
export const endSteady = (open: readonly OpenIncident[], at: Instant): Judged => {
  const isOver = (incident: OpenIncident): boolean => (overAt(incident) ?? Infinity) <= at;
  const settled = open.filter(isOver);
  if (settled.length === 0) return { open, notices: [] };
  return {
    open: open.filter((incident) => !isOver(incident)),
    notices: settled.flatMap((incident) => ended(incident, 'steady')),
  };
};
