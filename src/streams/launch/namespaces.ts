// `isolation.network`, `mount`, `pid`, `user`. A namespace that the kernel refuses is passed over under version 2 and
// refuses the service under version 3. Without root they are to be had inside a user namespace of one's own only.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { LaunchFacts } from './facts.ts';
import { itself, within, withRoot, type IdMaps } from './id-map.ts';
import type { LaunchRefusal } from './refusal.ts';
import type { PlannedStep } from './step.ts';

const ROOT = 0;

const KINDS = ['network', 'mount', 'pid'] as const;

/** What the kernel says when it does not grant a namespace; the last two are its caps on their number and nesting. */
const REFUSALS = ['EPERM', 'EINVAL', 'ENOSPC', 'EUSERS'];

const refusals = ({ schema }: ServiceSpec): readonly string[] => (schema === 2 ? REFUSALS : []);

/** A first launcher makes it then, and a second one does the rest within. */
export const usesUserNamespace = ({ privilege }: ServiceSpec): boolean => privilege.isolation?.user === true;

/** One for each kind that is asked for; without root only within a user namespace of its own. */
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

/** Groups that the launcher has outside stay its own; root of the group is what it is outside. */
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

/** Under version 3, root in the namespace is never root of the machine. */
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
 * A service with a user of its own stays that user in there; any other is root there. A privileged supervisor makes the
 * namespace as root and maps it: processes of the service's user outside have no rights in it.
 */
export const enterUserNamespace = (spec: ServiceSpec, facts: LaunchFacts): PlannedStep => ({
  tag: 'user-namespace',
  become: facts.runsAs.account === undefined ? 'root' : 'itself',
  ...(facts.privileged && { maps: mapsOf(facts) }),
  key: 'isolation.user',
  mayRefuse: refusals(spec),
});

/** The user that the launcher becomes once a privileged supervisor has mapped its namespace. */
export const innerIdentity = ({ privileged, runsAs }: LaunchFacts): readonly PlannedStep[] => {
  if (!privileged) return [];
  const { account, gid } = runsAs;
  return account === undefined
    ? [{ tag: 'inner-root', group: gid === undefined, key: 'isolation.user', mayRefuse: [] }]
    : [{ tag: 'user', uid: account.uid, keep: true, key: 'user', mayRefuse: [] }];
};
