// The keys `isolation.network`, `mount`, `pid` and `user`. If Linux refuses a namespace, a service with
// schema 2 starts without it, and a service with schema 3 does not start. Without root, namespaces need a
// user namespace. With `--sys`, root of the user namespace is mapped to ids that no account uses, or to ids
// that `/etc/subuid` and `/etc/subgid` assign to root.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { type IdMaps, type Ids, itself, rangeFor, within, withRoot } from './id-ranges.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { LaunchRefusal } from './launch-refusal.ts';
import type { PlannedStep } from './launch-step.ts';

const ROOT = 0;

const KINDS = ['network', 'mount', 'pid'] as const;

/**
 * The errors with which Linux refuses a namespace. ENOSPC and EUSERS mean that there are too many namespaces,
 * or that they are nested too deeply.
 */
const REFUSALS = ['EPERM', 'EINVAL', 'ENOSPC', 'EUSERS'];

const refusals = ({ schema }: ServiceSpec): readonly string[] => (schema === 2 ? REFUSALS : []);

/** True if the service declares a user namespace. Such a service needs two launchers. */
export const usesUserNamespace = ({ privilege }: ServiceSpec): boolean => privilege.isolation?.user === true;

/**
 * Returns a step for each declared kind of namespace. Returns none if the supervisor has no root privileges
 * and the service has no user namespace.
 */
export const namespaceSteps = (spec: ServiceSpec, { privileged }: LaunchFacts): readonly PlannedStep[] => {
  const { isolation } = spec.privilege;
  if (isolation === undefined || !(privileged || isolation.user)) return [];
  return KINDS.filter((kind) => isolation[kind]).map((kind) => ({
    tag: 'namespace',
    kind,
    key: `isolation.${kind}`,
    mayRefuse: refusals(spec),
  }));
};

/**
 * Returns the id maps of the user namespace. If the service declares a user, the id of this user is the same
 * inside and outside. Otherwise root of the namespace is mapped to the ids in `inside`, or to root of the
 * machine if `inside` is absent.
 */
const mapsOf = ({ runsAs: { account, gid }, inside }: LaunchFacts): IdMaps => {
  if (account !== undefined) return { users: [itself(account.uid)], groups: [itself(gid ?? account.gid)] };
  if (inside === undefined)
    return {
      users: [itself(ROOT)],
      groups: [{ inside: ROOT, outside: gid ?? ROOT, count: 1 }],
    };
  const { users, groups } = inside;
  return { users: within(users), groups: gid === undefined ? within(groups) : withRoot(gid, groups) };
};

/** Refuses a service with schema 3 if root in its user namespace would be root of the machine. */
export const unmapped = (
  spec: ServiceSpec,
  { privileged, runsAs: { account }, inside }: LaunchFacts,
): LaunchRefusal | undefined => {
  const mustBeMapped = privileged && spec.schema === 3 && usesUserNamespace(spec);
  if (!mustBeMapped) return undefined;
  const refused = (detail: string): LaunchRefusal => ({ code: 'ERR0725', key: 'isolation.user', detail });
  if (account?.uid === ROOT)
    return refused(`user ${account.name} would be root outside of the namespace too: drop "user"`);
  return (account ?? inside) === undefined
    ? refused('this machine has no unused ids for its root')
    : undefined;
};

/** Returns the step that enters the user namespace, as the `user` of the service or as root. */
export const enterUserNamespace = (spec: ServiceSpec, facts: LaunchFacts): PlannedStep => ({
  tag: 'user-namespace',
  become: facts.runsAs.account === undefined ? 'root' : 'itself',
  ...(facts.privileged && { maps: mapsOf(facts) }),
  key: 'isolation.user',
  mayRefuse: refusals(spec),
});

/**
 * Returns the step that changes the user inside the user namespace. The step is needed only under a
 * privileged supervisor: otherwise the launcher has mapped its own user already.
 */
export const innerIdentity = ({ privileged, runsAs }: LaunchFacts): readonly PlannedStep[] => {
  if (!privileged) return [];
  const { account, gid } = runsAs;
  return account === undefined
    ? [{ tag: 'inner-root', group: gid === undefined, key: 'isolation.user', mayRefuse: [] }]
    : [{ tag: 'user', uid: account.uid, keep: true, key: 'user', mayRefuse: [] }];
};

/** A function that reads which ids are in use on this machine. */
type ReadIds = () => { readonly users: Ids; readonly groups: Ids };

/**
 * Returns the ids of the machine to which root of the service's user namespace is mapped. The result is
 * `undefined` if the service needs no such ids, or if no ids are free.
 */
export const innerRoot = (
  spec: ServiceSpec,
  privileged: boolean,
  readIds: ReadIds,
): LaunchFacts['inside'] => {
  const isAsked = privileged && spec.schema === 3 && usesUserNamespace(spec);
  if (!isAsked || spec.privilege.user !== undefined) return undefined;
  const given = readIds();
  const [users, groups] = [rangeFor(spec.id, given.users), rangeFor(spec.id, given.groups)];
  return users === undefined || groups === undefined ? undefined : { users, groups };
};

/**
 * The prefix of a name that stands for root of a service's user namespace. Names of accounts have no colon.
 */
const INNER_ROOT = 'inner-root:';

/**
 * Returns the name of the account that a service runs as, or `inner-root:…` for root of its user namespace;
 * `undefined` if the service runs as the user of the supervisor.
 */
export const accountNameOf = ({ id, schema, privilege }: ServiceSpec): string | undefined => {
  const isInnerRoot = schema === 3 && privilege.isolation?.user === true;
  return privilege.user ?? (isInnerRoot ? `${INNER_ROOT}${id}` : undefined);
};

/** Returns the uid on the machine for a name `inner-root:…`; `undefined` for the name of an account. */
export const innerRootUid = (account: string, { users }: ReturnType<ReadIds>): number | undefined =>
  account.startsWith(INNER_ROOT) ? rangeFor(account.slice(INNER_ROOT.length), users)?.first : undefined;
