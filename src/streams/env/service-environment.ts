// The environment a service's processes get (`docs/behaviour.md`, "Environment").
import type { RunId } from '../domain/ids.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { isSessionVariable } from './session.ts';

export type Environment = Readonly<Record<string, string>>;

/** Which incarnation of which supervisor a process belongs to. */
export interface Identity {
  readonly run: RunId;
  /** The data directory: two supervisors may both have a `shop/web`. */
  readonly dataDir: string;
  /** The name of a child that a service has asked for. */
  readonly child?: string | undefined;
}

/** The value of `SUP_UNIT`, by which a strayed descendant is recognised: `<project>/<service>#<run>`. */
export const unitMark = (service: string, run: RunId): string => `${service}#${run}`;

/** Who has it in its environment is a child, or descends from one: nobody else is given it. */
export const CHILD = 'SUP_CHILD';

/** They say which run of which supervisor a process was born into. */
const MARKS: readonly string[] = ['SUP_UNIT', 'SUP_SUPERVISOR', CHILD];

/** Those that a process gets from the supervisor alone. */
export const OWN_VARIABLES: readonly string[] = [...MARKS, 'SUP_PROJECT', 'SUP_SERVICE'];

/** What is kept of one environment, by what is dropped of it: the services of a machine drop the same, nearly all of them. */
const kept = new WeakMap<Environment, Map<string, Environment>>();

const fallbacks = ({ env: { clearSession, strip } }: ServiceSpec, own: Environment): Environment => {
  const known = kept.get(own) ?? new Map<string, Environment>();
  kept.set(own, known);
  const key = JSON.stringify([clearSession, strip]);
  const dropped = (name: string): boolean =>
    MARKS.includes(name) || strip.includes(name) || (clearSession && isSessionVariable(name));
  const found = known.get(key) ?? Object.fromEntries(Object.entries(own).filter(([name]) => !dropped(name)));
  known.set(key, found);
  return found;
};

/** The supervisor's own variables as fallbacks, minus session and stripped ones; then the service's. */
export const unmarkedEnvironment = (spec: ServiceSpec, own: Environment): Environment => ({
  ...fallbacks(spec, own),
  ...Object.fromEntries(Object.entries(spec.env.vars).filter(([name]) => name !== CHILD)),
  SUP_PROJECT: spec.project,
  SUP_SERVICE: spec.name,
});

/** With the mark of a run: whoever has it belongs to the run. */
export const serviceEnvironment = (spec: ServiceSpec, own: Environment, identity: Identity): Environment => ({
  ...unmarkedEnvironment(spec, own),
  SUP_UNIT: unitMark(spec.id, identity.run),
  SUP_SUPERVISOR: identity.dataDir,
  ...(identity.child !== undefined && { [CHILD]: identity.child }),
});
