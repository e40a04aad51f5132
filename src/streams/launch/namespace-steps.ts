// The manifest keys `isolation.network`, `mount`, `pid` and `user`. If the kernel refuses a namespace, schema
// version 2 starts the service without it, and version 3 refuses the service. Without root privileges the
// other namespaces can be created only inside a user namespace of the service. Outside a user namespace, its
// root has ids that no account of the machine uses, or that `/etc/subuid` and `/etc/subgid` give to root.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { type IdMaps, type Ids, itself, rangeFor, within, withRoot } from './id-ranges.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { LaunchRefusal } from './launch-refusal.ts';
import type { PlannedStep } from './launch-step.ts';

const ROOT = 0;

const KINDS = ['network', 'mount', 'pid'] as const;

/**
 * The errno names with which the kernel refuses a namespace; the last two mean too many or too deeply nested
 * ones.
 */
const REFUSALS = ['EPERM', 'EINVAL', 'ENOSPC', 'EUSERS'];

const refusals = ({ schema }: ServiceSpec): readonly string[] => (schema === 2 ? REFUSALS : []);

/**
 * True if the service declares a user namespace. A first launcher creates this namespace, and a second one
 * applies the other steps inside it.
 */
export const usesUserNamespace = ({ privilege }: ServiceSpec): boolean => privilege.isolation?.user === true;

/**
 * Returns a step for each declared kind of namespace. Without root privileges there are no steps unless the
 * service has a user namespace.
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
 * Returns the id maps of the user namespace. An account keeps its id. Root inside the namespace maps to the
 * ids in `inside`; without them it maps to root.
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

/**
 * Refuses a service with schema version 3 if root in its user namespace would also be root of the machine.
 */
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

/**
 * Returns the step that enters the user namespace. A service with a `user` runs as that user inside, any
 * other service as root. A supervisor with root privileges creates the namespace as root and writes its id
 * maps, so that processes of the service's user outside have no rights in it.
 */
export const enterUserNamespace = (spec: ServiceSpec, facts: LaunchFacts): PlannedStep => ({
  tag: 'user-namespace',
  become: facts.runsAs.account === undefined ? 'root' : 'itself',
  ...(facts.privileged && { maps: mapsOf(facts) }),
  key: 'isolation.user',
  mayRefuse: refusals(spec),
});

/**
 * Returns the step in which the launcher changes its user inside the user namespace; none if the supervisor
 * has no root privileges. The supervisor has written the id maps before.
 */
export const innerIdentity = ({ privileged, runsAs }: LaunchFacts): readonly PlannedStep[] => {
  if (!privileged) return [];
  const { account, gid } = runsAs;
  return account === undefined
    ? [{ tag: 'inner-root', group: gid === undefined, key: 'isolation.user', mayRefuse: [] }]
    : [{ tag: 'user', uid: account.uid, keep: true, key: 'user', mayRefuse: [] }];
};

/** Reads which ids of this machine are in use. */
type ReadIds = () => { readonly users: Ids; readonly groups: Ids };

/**
 * Returns the ids outside for a service that is root in its user namespace. `undefined` if all ids are taken,
 * or if root inside must be root outside: with schema version 2 or without root privileges.
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

/** The prefix of a name for root of a user namespace. No account name contains a colon. */
const INNER_ROOT = 'inner-root:';

/**
 * Returns the name that determines the uid of a service: its `user`, or the name for the root of its user
 * namespace (`inner-root:…`); `undefined` if the service has the supervisor's uid.
 */
export const accountNameOf = ({ id, schema, privilege }: ServiceSpec): string | undefined => {
  const isInnerRoot = schema === 3 && privilege.isolation?.user === true;
  return privilege.user ?? (isInnerRoot ? `${INNER_ROOT}${id}` : undefined);
};

/**
 * Returns the uid for the name of a user namespace's root (`inner-root:…`); `undefined` for an account name.
 */
export const innerRootUid = (account: string, { users }: ReturnType<ReadIds>): number | undefined =>
  account.startsWith(INNER_ROOT) ? rangeFor(account.slice(INNER_ROOT.length), users)?.first : undefined;
