// `isolation.network`, `mount`, `pid` and `user`. If the kernel refuses a namespace, schema 2 starts the
// service without it, schema 3 refuses the service. Without root, namespaces need a user namespace of the
// service, whose root has unused ids or those that `/etc/subuid` and `/etc/subgid` give to root.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { type IdMaps, type Ids, itself, rangeFor, within, withRoot } from './id-ranges.ts';
import type { LaunchFacts } from './launch-facts.ts';
import type { LaunchRefusal } from './launch-refusal.ts';
import type { PlannedStep } from './launch-step.ts';

const ROOT = 0;

const KINDS = ['network', 'mount', 'pid'] as const;

/** Errors with which the kernel refuses a namespace; the last two: too many, or nested too deeply. */
const REFUSALS = ['EPERM', 'EINVAL', 'ENOSPC', 'EUSERS'];

const refusals = ({ schema }: ServiceSpec): readonly string[] => (schema === 2 ? REFUSALS : []);

/** True if the service declares a user namespace, which takes two launchers. */
export const usesUserNamespace = ({ privilege }: ServiceSpec): boolean => privilege.isolation?.user === true;

/** Returns a step for each declared kind of namespace, if they can be created. */
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
 * Returns the id maps of the user namespace. An account has the same id in it. Otherwise root of the
 * namespace is `inside` on the machine, or root if there is none.
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

/** Refuses, with schema 3, a service whose root in its user namespace would be root of the machine. */
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

/** Returns the step that enters the user namespace, as the service's `user` or as root. */
export const enterUserNamespace = (spec: ServiceSpec, facts: LaunchFacts): PlannedStep => ({
  tag: 'user-namespace',
  become: facts.runsAs.account === undefined ? 'root' : 'itself',
  ...(facts.privileged && { maps: mapsOf(facts) }),
  key: 'isolation.user',
  mayRefuse: refusals(spec),
});

/** Returns the change of user inside the namespace, if a privileged supervisor has written the id maps. */
export const innerIdentity = ({ privileged, runsAs }: LaunchFacts): readonly PlannedStep[] => {
  if (!privileged) return [];
  const { account, gid } = runsAs;
  return account === undefined
    ? [{ tag: 'inner-root', group: gid === undefined, key: 'isolation.user', mayRefuse: [] }]
    : [{ tag: 'user', uid: account.uid, keep: true, key: 'user', mayRefuse: [] }];
};

/** Reads which ids of this machine are in use. */
type ReadIds = () => { readonly users: Ids; readonly groups: Ids };

/** Returns the outside ids of root in a user namespace; none if it must be root outside, or all are taken. */
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

/** Prefix of a name for root of a user namespace; no account name has a colon. */
const INNER_ROOT = 'inner-root:';

/** Returns the account name, or `inner-root:…`, of a service whose uid is not the supervisor's. */
export const accountNameOf = ({ id, schema, privilege }: ServiceSpec): string | undefined => {
  const isInnerRoot = schema === 3 && privilege.isolation?.user === true;
  return privilege.user ?? (isInnerRoot ? `${INNER_ROOT}${id}` : undefined);
};

/** Returns the uid for a name `inner-root:…`; `undefined` for an account. */
export const innerRootUid = (account: string, { users }: ReturnType<ReadIds>): number | undefined =>
  account.startsWith(INNER_ROOT) ? rangeFor(account.slice(INNER_ROOT.length), users)?.first : undefined;
