// Decides which state changes begin and end an incident of a service, for each receiver of alerts. One
// incident is one message, and one more at its end, however often the service fails meanwhile.
// Rules: `docs/behaviour.md`, "Alerts", "One message per incident", "The end".
import type { AlertCause, AlertSpec } from '../domain/declared/spec.ts';
import { type ServiceId } from '../domain/ids.ts';
import type { In, Service } from '../domain/service/service.ts';
import { plus, type Instant } from '../domain/time.ts';
import { isExhausted } from '../service/health.ts';
import { failedRun } from '../service/scheduled-runs.ts';

/** How an incident ended: `steady` is ready and healthy for `recovered_after`. */
export type IncidentEnd = 'steady' | 'ended' | 'stopped' | 'removed';

/** An incident that is not over and of which a receiver has a message. */
export interface OpenIncident {
  readonly service: ServiceId;
  readonly alert: AlertSpec;
  readonly cause: AlertCause;
  readonly since: Instant;
  /** Since when the service is ready and healthy; absent while it is not. */
  readonly steadySince?: Instant;
}

/** A message that is due: the begin of an incident, or its end. */
export interface Notice {
  readonly incident: OpenIncident;
  /** Present for the end of the incident. */
  readonly end?: IncidentEnd;
}

export interface Judged {
  readonly open: readonly OpenIncident[];
  readonly notices: readonly Notice[];
}

/** A service after a change; `service` is absent if it was removed. */
interface Changed {
  readonly id: ServiceId;
  readonly service: Service | undefined;
  readonly at: Instant;
}

type Condition =
  | { readonly tag: 'trouble'; readonly cause: AlertCause }
  | { readonly tag: 'over'; readonly end: IncidentEnd }
  /** Ready and healthy: over, if it lasts. */
  | { readonly tag: 'steady' }
  /** Neither: it starts, stops, waits, or is down because of another service. */
  | { readonly tag: 'between' };

const trouble = (cause: AlertCause): Condition => ({ tag: 'trouble', cause });
const over = (end: IncidentEnd): Condition => ({ tag: 'over', end });
const BETWEEN: Condition = { tag: 'between' };

/** True while the run that a failed rollout kept is the current one. */
const isKept = ({ rollouts, runs }: Service): boolean => {
  const last = rollouts?.at(-1);
  return last?.outcome === 'failed' && last.old === runs;
};

/** Failed probes are no incident before the check has failed, but the service is not healthy either. */
const whileFailing = ({ health }: In<'up'>, { spec }: Service, at: Instant): Condition => {
  const check = spec.deployment.healthCheck;
  return check !== undefined && isExhausted(health, check, at) ? trouble('unhealthy') : BETWEEN;
};

const whileUp = (state: In<'up'>, service: Service, at: Instant): Condition => {
  if (state.health.health === 'unhealthy') return whileFailing(state, service, at);
  if (isKept(service)) return trouble('rollout-failed');
  return service.wanted === 'up' ? { tag: 'steady' } : BETWEEN;
};

/** An end of unknown status counts as a failure: nothing shows that the service did its work. */
const whileDown = (why: Extract<Service['actual'], { tag: 'down' }>['why']['tag']): Condition => {
  if (why === 'failed') return trouble('failed');
  return over(why === 'completed' || why === 'ended' ? 'ended' : 'stopped');
};

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
      return actual.cause.tag === 'unhealthy' && actual.cause.wasReady ? trouble('unhealthy') : BETWEEN;
    default:
      return BETWEEN;
  }
};

/** Returns what identifies a receiver: the address or command, whatever else its declaration says. */
export const receiverKey = ({ to }: Pick<AlertSpec, 'to'>): string =>
  to.tag === 'url' ? to.url : to.command;

const ended = (incident: OpenIncident, end: IncidentEnd): readonly Notice[] =>
  incident.alert.on.includes('recovered') ? [{ incident, end }] : [];

const CLOSED = { open: [], notices: [] } as const;

const withSteady = (incident: OpenIncident, condition: Condition, at: Instant): OpenIncident => {
  const { steadySince, ...rest } = incident;
  return condition.tag === 'steady' ? { ...rest, steadySince: steadySince ?? at } : rest;
};

/** Returns what the change does to an open incident. A receiver that is not declared any more is dropped. */
const continued = (
  incident: OpenIncident,
  condition: Condition,
  { service, at }: Changed,
): { readonly open: readonly OpenIncident[]; readonly notices: readonly Notice[] } => {
  if (service === undefined) return { open: [], notices: ended(incident, 'removed') };
  const alert = service.spec.alerts?.find((each) => receiverKey(each) === receiverKey(incident.alert));
  if (alert === undefined) return CLOSED;
  if (condition.tag === 'over') return { open: [], notices: ended({ ...incident, alert }, condition.end) };
  return { open: [withSteady({ ...incident, alert }, condition, at)], notices: [] };
};

/** Returns the incidents that begin, one for each receiver that lists it and has no message yet. */
const begun = (
  known: readonly OpenIncident[],
  { id, service, at }: Changed,
  cause: AlertCause,
): OpenIncident[] =>
  (service?.spec.alerts ?? [])
    .filter((alert) => alert.on.includes(cause))
    .filter((alert) => !known.some((one) => receiverKey(one.alert) === receiverKey(alert)))
    .map((alert) => ({ service: id, alert, cause, since: at }));

/** Returns the open incidents after a change of one service, and the messages that it makes due. */
export const judge = (open: readonly OpenIncident[], change: Changed): Judged => {
  const own = open.filter(({ service }) => service === change.id);
  if (own.length === 0 && change.service?.spec.alerts === undefined) return { open, notices: [] };
  const condition = change.service === undefined ? over('removed') : conditionOf(change.service, change.at);
  const each = own.map((incident) => continued(incident, condition, change));
  const fresh = condition.tag === 'trouble' ? begun(own, change, condition.cause) : [];
  const others = open.filter(({ service }) => service !== change.id);
  return {
    open: [...others, ...each.flatMap((one) => one.open), ...fresh],
    notices: [...each.flatMap(({ notices }) => notices), ...fresh.map((incident) => ({ incident }))],
  };
};

/** Returns when the incident is over, if its service stays ready and healthy. */
export const overAt = ({ steadySince, alert }: OpenIncident): Instant | undefined =>
  steadySince === undefined ? undefined : plus(steadySince, alert.recoveredAfter);

/** Ends the incidents whose services have been ready and healthy for long enough. */
export const settle = (open: readonly OpenIncident[], at: Instant): Judged => {
  const isOver = (incident: OpenIncident): boolean => (overAt(incident) ?? Infinity) <= at;
  const settled = open.filter(isOver);
  if (settled.length === 0) return { open, notices: [] };
  return {
    open: open.filter((incident) => !isOver(incident)),
    notices: settled.flatMap((incident) => ended(incident, 'steady')),
  };
};
