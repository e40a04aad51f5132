// Reads `alerts.json`: open incidents, and messages that the previous supervisor had not delivered. Damaged
// entries are left out, so that the supervisor can start although a message is lost.
// Rules: `docs/behaviour.md`, "Alerts", "When the supervisor ends".
import { readAtOnce } from '../../os/files/own-file.ts';
import { isMissing } from '../../os/errno.ts';
import { NO_ALERTS, type AlertState, type Delivery, type Failing } from '../../streams/alerts/deliveries.ts';
import type { OpenIncident, Undelivered } from '../../streams/alerts/incidents.ts';
import { ALERT_CAUSES } from '../../streams/domain/declared/spec.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import {
  isCount,
  isNumber,
  isString,
  optional,
  oneOf,
  record,
  type Shape,
  type ValueCheck,
} from './shape-checks.ts';
import { ALERT, isReceiver } from './recorded-spec-shape.ts';

const UNDELIVERED: Shape<Undelivered> = {
  at: isNumber,
  cause: oneOf(...ALERT_CAUSES),
  attempts: isNumber,
  detail: isString,
};

const INCIDENT: Shape<OpenIncident> = {
  service: (value) => typeof value === 'string' && /^[^/]+\/[^/]+$/.test(value),
  alert: record(ALERT),
  cause: oneOf(...ALERT_CAUSES),
  since: isNumber,
  steadySince: optional(isNumber),
  undelivered: optional(record(UNDELIVERED)),
};

const isOrNull =
  (check: ValueCheck): ValueCheck =>
  (value) =>
    value === null || check(value);

const DELIVERY: Shape<Delivery> = {
  id: isString,
  alert: record(ALERT),
  about: record({
    cause: oneOf(...ALERT_CAUSES, 'test'),
    project: isString,
    service: isString,
    run: isOrNull(isNumber),
    code: isOrNull(isString),
  }),
  body: isString,
  created: isNumber,
  attempt: isCount,
  due: isNumber,
  sending: optional(oneOf(true)),
};

const FAILING: Shape<Failing> = { to: isReceiver, at: isNumber, detail: isString };

/** Returns the entries of a list that have the shape. */
const entries = <T>(value: unknown, shape: Shape<T>): readonly T[] => {
  const isWhole = record(shape);
  return Array.isArray(value) ? value.filter((each): each is T => isWhole(each)) : [];
};

const stateIn = (text: string): AlertState => {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return NO_ALERTS;
  const serial: unknown = Reflect.get(value, 'serial');
  return {
    open: entries(Reflect.get(value, 'open'), INCIDENT),
    deliveries: entries(Reflect.get(value, 'deliveries'), DELIVERY),
    serial: typeof serial === 'number' ? serial : 0,
    failing: entries(Reflect.get(value, 'failing'), FAILING),
  };
};

/** Reads the alerts that the previous supervisor left. `logError` gets a message if they cannot be read. */
export const readAlerts = (
  dataDir: string,
  logError: (text: string) => void = () => undefined,
): AlertState => {
  const path = layoutOf(dataDir).alerts;
  try {
    return stateIn(readAtOnce(path).toString());
  } catch (error) {
    if (!isMissing(error)) logError(`alerts of the previous supervisor cannot be read: ${messageOf(error)}`);
    return NO_ALERTS;
  }
};
