// Builds the environment of a service's processes: inherited variables (or those that a login would set), the
// variables of the manifest, and the run tag (`SUP_UNIT` and others), by which the processes of a run are
// found.
// Rules: `docs/behaviour.md`, "Environment", "Session variables", "The run tag".
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

/**
 * True for a variable that belongs to a user's session (terminal, desktop, ssh) and must not reach a service.
 */
export const isSessionVariable = (name: string): boolean =>
  NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));

export type Environment = Readonly<Record<string, string>>;

/** Identifies the run and the supervisor to which a process belongs. */
interface Identity {
  readonly run: RunId;
  /** The data directory, which identifies the supervisor: two supervisors may both have a `shop/web`. */
  readonly dataDir: string;
  /** The name of the child; absent for a run of the service itself. */
  readonly child?: string | undefined;
}

/**
 * Returns the value of `SUP_UNIT`, by which the processes of a run are found: `<project>/<service>#<run>`.
 */
export const unitMark = (service: string, run: RunId): string => `${service}#${run}`;

/** The variable with the name of a child; only the child and its descendants have it. */
export const CHILD = 'SUP_CHILD';

/** The variables of the run tag, which show which run of which supervisor started a process. */
const MARKS: readonly string[] = ['SUP_UNIT', 'SUP_SUPERVISOR', CHILD];

/** The variables that only the supervisor sets, whatever a manifest says. */
export const OWN_VARIABLES: readonly string[] = [...MARKS, 'SUP_PROJECT', 'SUP_SERVICE'];

/**
 * A cache of environments after variables were removed, by the list of removed variables: nearly all services
 * of a machine remove the same ones.
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
 * Returns the environment without the run tag: the variables of the supervisor, except session variables and
 * those that the manifest removes, overridden by the variables of the service.
 */
export const unmarkedEnvironment = (spec: ServiceSpec, own: Environment): Environment => ({
  ...fallbacks(spec, own),
  ...Object.fromEntries(Object.entries(spec.env.vars).filter(([name]) => name !== CHILD)),
  SUP_PROJECT: spec.project,
  SUP_SERVICE: spec.name,
});

/** Returns the environment with the run tag, which makes a process recognisable as part of the run. */
export const serviceEnvironment = (spec: ServiceSpec, own: Environment, identity: Identity): Environment => ({
  ...unmarkedEnvironment(spec, own),
  SUP_UNIT: unitMark(spec.id, identity.run),
  SUP_SUPERVISOR: identity.dataDir,
  ...(identity.child !== undefined && { [CHILD]: identity.child }),
});

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Returns the variables to start from: those of the supervisor, or those that a login of `account` would set.
 * `account` is absent if the service runs as the supervisor's user.
 */
export const ownEnvironmentFor = ({ env }: ServiceSpec, own: Environment, account?: Account): Environment => {
  if (account === undefined) return env.clean === true ? { PATH } : own;
  return env.inherit
    ? own
    : { PATH, HOME: account.home, USER: account.name, LOGNAME: account.name, SHELL: account.shell };
};

/**
 * Returns a function that computes the environment of a command for a run from the account that the command
 * runs as.
 */
export const commandEnvironment =
  (spec: ServiceSpec, own: Environment, identity: Identity) =>
  (account?: Account): Environment =>
    serviceEnvironment(spec, ownEnvironmentFor(spec, own, account), identity);
