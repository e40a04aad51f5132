// The environment of a service's processes: the base that it inherits or
// what a login would set, the variables of the manifest, and the mark of the run.
// Rules: `docs/behaviour.md`, "Environment", "Session variables", "Marks".
import type { Account } from '../domain/account.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { RunId } from '../domain/ids.ts';

const NAMES: ReadonlySet<string> = new Set([
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_VTNR',
  'XDG_SEAT',
  'WINDOWID',
  'STY',
  'TERM_SESSION_ID',
]);
const PREFIXES = ['SSH_', 'XDG_SESSION_', 'TMUX'];

/** True for a variable of the user's session (terminal, desktop, ssh) and not of a service. */
export const isSessionVariable = (name: string): boolean =>
  NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));

export type Environment = Readonly<Record<string, string>>;

/** Which run of which supervisor a process belongs to. */
interface Identity {
  readonly run: RunId;
  /** The data directory: two supervisors may both have a `shop/web`. */
  readonly dataDir: string;
  /** The name of a child that a service requested. */
  readonly child?: string | undefined;
}

/** Returns the value of `SUP_UNIT`, which identifies a stray descendant: `<project>/<service>#<run>`. */
export const unitMark = (service: string, run: RunId): string => `${service}#${run}`;

/** Set only in the environment of a child and of its descendants. */
export const CHILD = 'SUP_CHILD';

/** The variables that say which run of which supervisor a process was born into. */
const MARKS: readonly string[] = ['SUP_UNIT', 'SUP_SUPERVISOR', CHILD];

/** The variables that only the supervisor sets. */
export const OWN_VARIABLES: readonly string[] = [...MARKS, 'SUP_PROJECT', 'SUP_SERVICE'];

/**
 * The remaining variables of an environment, by what is dropped: nearly all services of a machine drop the
 * same.
 */
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

/**
 * Returns the supervisor's own variables as fallbacks, without session and stripped ones, then the service's.
 */
export const unmarkedEnvironment = (spec: ServiceSpec, own: Environment): Environment => ({
  ...fallbacks(spec, own),
  ...Object.fromEntries(Object.entries(spec.env.vars).filter(([name]) => name !== CHILD)),
  SUP_PROJECT: spec.project,
  SUP_SERVICE: spec.name,
});

/** Returns the environment with the mark of a run: a process that has it belongs to the run. */
export const serviceEnvironment = (spec: ServiceSpec, own: Environment, identity: Identity): Environment => ({
  ...unmarkedEnvironment(spec, own),
  SUP_UNIT: unitMark(spec.id, identity.run),
  SUP_SUPERVISOR: identity.dataDir,
  ...(identity.child !== undefined && { [CHILD]: identity.child }),
});

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Returns the base. `account` is the account of the service; absent if it runs as the supervisor. */
export const ownEnvironmentFor = ({ env }: ServiceSpec, own: Environment, account?: Account): Environment => {
  if (account === undefined) return env.clean === true ? { PATH } : own;
  return env.inherit
    ? own
    : { PATH, HOME: account.home, USER: account.name, LOGNAME: account.name, SHELL: account.shell };
};

/** Returns the variables of a command for a run, by the account that the command runs as. */
export const commandEnvironment =
  (spec: ServiceSpec, own: Environment, identity: Identity) =>
  (account?: Account): Environment =>
    serviceEnvironment(spec, ownEnvironmentFor(spec, own, account), identity);
