// `isolation.network`, `mount`, `pid`, `user`. If the kernel refuses a namespace, version 2 skips it and
// version 3 refuses the service. Without root they exist only inside the service's own user namespace. Root
// in it has outer ids that the machine's accounts do not use, or that `/etc/subuid` and `/etc/subgid` give to
// root.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { type IdMaps, type Ids, itself, rangeFor, within, withRoot } from './id-ranges.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { LaunchRefusal } from './launch-refusal.ts';
import type { PlannedStep } from './launch-step.ts';

const ROOT = 0;

const KINDS = ['network', 'mount', 'pid'] as const;

/** The kernel's errors when it grants no namespace; the last two are its caps on number and nesting. */
const REFUSALS = ['EPERM', 'EINVAL', 'ENOSPC', 'EUSERS'];

const refusals = ({ schema }: ServiceSpec): readonly string[] => (schema === 2 ? REFUSALS : []);

/** True if a first launcher creates a user namespace, and a second one does the rest inside. */
export const usesUserNamespace = ({ privilege }: ServiceSpec): boolean => privilege.isolation?.user === true;

/** Returns a step for each requested kind; without root only within a user namespace. */
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
 * Returns the id maps: an account maps to itself; root maps to the ids of `inside`, or to root without them.
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

/** Refuses, under version 3, root in the namespace that would be root of the machine. */
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
 * A service with its own user stays that user inside; any other is root there. A privileged supervisor
 * creates the namespace as root and maps it. Outside processes of the service's user then have no rights in
 * it.
 */
export const enterUserNamespace = (spec: ServiceSpec, facts: LaunchFacts): PlannedStep => ({
  tag: 'user-namespace',
  become: facts.runsAs.account === undefined ? 'root' : 'itself',
  ...(facts.privileged && { maps: mapsOf(facts) }),
  key: 'isolation.user',
  mayRefuse: refusals(spec),
});

/**
 * Returns the step by which the launcher changes its user after a privileged supervisor mapped the namespace.
 */
export const innerIdentity = ({ privileged, runsAs }: LaunchFacts): readonly PlannedStep[] => {
  if (!privileged) return [];
  const { account, gid } = runsAs;
  return account === undefined
    ? [{ tag: 'inner-root', group: gid === undefined, key: 'isolation.user', mayRefuse: [] }]
    : [{ tag: 'user', uid: account.uid, keep: true, key: 'user', mayRefuse: [] }];
};

/** Reads the ids in use on this machine. */
type ReadIds = () => { readonly users: Ids; readonly groups: Ids };

/**
 * Returns the ids for a service that is root of a user namespace: version 3, privileged supervisor. Version 2
 * maps root to root. `undefined` also if all ids are taken.
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

/** No account name has a colon. */
const INNER_ROOT = 'inner-root:';

/**
 * Returns what decides a service's uid: its `user`, or a word for root of its own user namespace.
 * `undefined`: the supervisor's uid.
 */
export const accountNameOf = ({ id, schema, privilege }: ServiceSpec): string | undefined => {
  const isInnerRoot = schema === 3 && privilege.isolation?.user === true;
  return privilege.user ?? (isInnerRoot ? `${INNER_ROOT}${id}` : undefined);
};

/** Returns the uid of such a word; `undefined` for an account name. */
export const innerRootUid = (account: string, { users }: ReturnType<ReadIds>): number | undefined =>
  account.startsWith(INNER_ROOT) ? rangeFor(account.slice(INNER_ROOT.length), users)?.first : undefined;
