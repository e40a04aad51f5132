// The digest of a resolved service: equal digests, equal services. Key order does not count.
import { createHash } from 'node:crypto';
import type { ServiceSpec } from '../../streams/domain/spec.ts';

type Vars = ServiceSpec['env']['vars'];

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

const canonical = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(byKey))
    : value;

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value, canonical)).digest('hex');

/** Many services share one object of variables: each such object is hashed once. */
export const startDigests = (): ((spec: Omit<ServiceSpec, 'digest'>) => string) => {
  const known = new Map<Vars, string>();
  return (spec) => {
    const { vars } = spec.env;
    const ofVars = known.get(vars) ?? hash(vars);
    known.set(vars, ofVars);
    return hash({ ...spec, env: { ...spec.env, vars: ofVars } });
  };
};
