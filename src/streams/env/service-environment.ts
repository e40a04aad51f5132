// Builds the environment of a service's processes: inherited variables, the variables of the manifest, and
// the run tag (`run-tag.ts`), by which the processes of a run are found.
// Rules: `docs/behaviour.md`, "Environment", "Session variables"; `docs/behaviour.md`, "Environment".
import type { Account } from '../domain/account.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { instanceNumber } from '../domain/ids.ts';
import { CHILD, type Identity, MARKS, runTag } from './run-tag.ts';

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

/** True for a variable of a user's session (terminal, desktop, ssh). A service must not get it. */
export const isSessionVariable = (name: string): boolean =>
  NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));

export type Environment = Readonly<Record<string, string>>;

/** The variables that only the supervisor sets. A manifest cannot override them. */
export const OWN_VARIABLES: readonly string[] = [...MARKS, 'SUP_PROJECT', 'SUP_SERVICE'];

/** The environment variable that contains the number of an instance of a service with `replicas`. */
export const INSTANCE = 'SUP_INSTANCE';

/** The environment variable that contains the path of the directory that `state_dir` declares. */
export const STATE_DIRECTORY = 'STATE_DIRECTORY';

/**
 * Caches the inherited variables for each set of names that a service removes. Nearly all services remove the
 * same names.
 */
const kept = new WeakMap<Environment, Map<string, Environment>>();

const fallbacks = ({ env: { clearSession, strip } }: ServiceSpec, own: Environment): Environment => {
  const known = kept.get(own) ?? new Map<string, Environment>();
  kept.set(own, known);
  const key = JSON.stringify([clearSession, strip]);
  const dropped = (name: string): boolean =>
    MARKS.includes(name) ||
    name === INSTANCE ||
    strip.includes(name) ||
    (clearSession && isSessionVariable(name));
  const found = known.get(key) ?? Object.fromEntries(Object.entries(own).filter(([name]) => !dropped(name)));
  known.set(key, found);
  return found;
};

/**
 * Returns the environment without the run tag: inherited variables, and the variables of the service, which
 * override them.
 */
export const unmarkedEnvironment = (spec: ServiceSpec, own: Environment): Environment => {
  const instance = instanceNumber(spec.name);
  return {
    ...fallbacks(spec, own),
    ...Object.fromEntries(Object.entries(spec.env.vars).filter(([name]) => name !== CHILD)),
    SUP_PROJECT: spec.project,
    SUP_SERVICE: spec.name,
    ...(instance !== undefined && { [INSTANCE]: String(instance) }),
    ...(spec.stateDir !== undefined && { [STATE_DIRECTORY]: spec.stateDir }),
  };
};

/** Returns the environment with the run tag, which marks a process as part of the run. */
export const serviceEnvironment = (spec: ServiceSpec, own: Environment, identity: Identity): Environment => ({
  ...unmarkedEnvironment(spec, own),
  ...runTag(spec.id, identity),
});

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Returns the inherited variables: those of the supervisor, or those that a login of `account` would set. */
export const ownEnvironmentFor = ({ env }: ServiceSpec, own: Environment, account?: Account): Environment => {
  if (account === undefined) return env.clean === true ? { PATH } : own;
  return env.inherit
    ? own
    : { PATH, HOME: account.home, USER: account.name, LOGNAME: account.name, SHELL: account.shell };
};

/**
 * Returns a function that computes the environment of a command. The argument of this function is the account
 * that the command runs as.
 */
export const commandEnvironment =
  (spec: ServiceSpec, own: Environment, identity: Identity) =>
  (account?: Account): Environment =>
    serviceEnvironment(spec, ownEnvironmentFor(spec, own, account), identity);
