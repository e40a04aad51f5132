// The digest of a resolved service: equal digests mean equal services. The order of keys does not matter.
import { createHash } from 'node:crypto';
import type { ServiceSpec } from '../streams/domain/declared/spec.ts';

type Vars = ServiceSpec['env']['vars'];

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

const canonical = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(byKey))
    : value;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const hash = (value: unknown): string => sha256(JSON.stringify(value, canonical));

/**
 * The hash of the variables as a JSON list of sorted pairs. There may be thousands, so they are never joined
 * into one text.
 */
const hashVars = (vars: Vars): string => {
  const list = createHash('sha256').update('[');
  Object.keys(vars)
    .sort()
    .forEach((name, at) => list.update(`${at === 0 ? '' : ','}${JSON.stringify([name, vars[name]])}`));
  return list.update(']').digest('hex');
};

/**
 * Returns a digest function. Many services share one object of variables, so each such object is hashed once.
 */
export const startDigests = (): ((spec: Omit<ServiceSpec, 'digest'>) => string) => {
  const known = new Map<Vars, string>();
  return (spec) => {
    const { vars } = spec.env;
    const ofVars = known.get(vars) ?? hashVars(vars);
    known.set(vars, ofVars);
    return hash({ ...spec, env: { ...spec.env, vars: ofVars } });
  };
};
