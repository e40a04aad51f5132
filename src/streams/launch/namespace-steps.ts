// The manifest keys `isolation.network`, `mount`, `pid` and `user`. If the kernel refuses a namespace, schema
// version 2 starts the service without it, and version 3 refuses the service. Without root privileges the
// other namespaces can be created only inside a user namespace of the service. Root in a user namespace has
// ids outside that no account of the machine uses, or that `/etc/subuid` and `/etc/subgid` give to root.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { type IdMaps, type Ids, itself, rangeFor, within, withRoot } from './id-ranges.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { LaunchRefusal } from './launch-refusal.ts';
import type { PlannedStep } from './launch-step.ts';

const ROOT = 0;

const KINDS = ['network', 'mount', 'pid'] as const;

/**
 * The errors with which the kernel refuses a namespace; the last two are its limits on number and nesting.
 */
const REFUSALS = ['EPERM', 'EINVAL', 'ENOSPC', 'EUSERS'];

const refusals = ({ schema }: ServiceSpec): readonly string[] => (schema === 2 ? REFUSALS : []);

/**
 * True if the service has a user namespace: a first launcher creates it, and a second one applies the other
 * steps inside.
 */
export const usesUserNamespace = ({ privilege }: ServiceSpec): boolean => privilege.isolation?.user === true;

/**
 * Returns a step for each declared kind of namespace; without root privileges only if there is a user
 * namespace.
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
 * Returns the id maps of the user namespace. An account keeps its id; root inside becomes the ids of
 * `inside`, or stays root if there are none.
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

/** With schema version 3, refuses a service whose root in the namespace would also be root of the machine. */
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
 * Returns the step that enters the user namespace. A service with a `user` is that user inside; any other
 * service is root inside. A supervisor with root privileges creates the namespace as root and maps it, so
 * that processes of the service's user outside have no rights in it.
 */
export const enterUserNamespace = (spec: ServiceSpec, facts: LaunchFacts): PlannedStep => ({
  tag: 'user-namespace',
  become: facts.runsAs.account === undefined ? 'root' : 'itself',
  ...(facts.privileged && { maps: mapsOf(facts) }),
  key: 'isolation.user',
  mayRefuse: refusals(spec),
});

/**
 * Returns the step in which the launcher changes its user after a privileged supervisor has written the id
 * maps.
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
 * Returns the ids for a service that is root of its user namespace, with schema version 3 and a privileged
 * supervisor; otherwise `undefined`. With version 2, root inside is root outside. Also `undefined` if all ids
 * are taken.
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

/** The prefix of a word that stands for such a root; no account name contains a colon. */
const INNER_ROOT = 'inner-root:';

/**
 * Returns what determines the uid of a service: its `user`, or a word for the root of its user namespace;
 * `undefined` if it has the supervisor's uid.
 */
export const accountNameOf = ({ id, schema, privilege }: ServiceSpec): string | undefined => {
  const isInnerRoot = schema === 3 && privilege.isolation?.user === true;
  return privilege.user ?? (isInnerRoot ? `${INNER_ROOT}${id}` : undefined);
};

/** Returns the uid for such a word; `undefined` for an account name. */
export const innerRootUid = (account: string, { users }: ReturnType<ReadIds>): number | undefined =>
  account.startsWith(INNER_ROOT) ? rangeFor(account.slice(INNER_ROOT.length), users)?.first : undefined;
