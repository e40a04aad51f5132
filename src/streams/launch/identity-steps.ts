// The keys `user`, `group` and `supplementary_groups`. The groups are set before the user, because a process
// that has changed its user may no longer set groups.
// Rules: `docs/behaviour.md`, "Restarting", "Refused for good".
import { HIGHEST_ID, isId } from '../domain/account.ts';
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { LaunchFacts, RunsAs } from './launch-facts.ts';
import type { LaunchRefusal } from './launch-refusal.ts';
import type { PlannedStep } from './launch-step.ts';
import { usesUserNamespace } from './namespace-steps.ts';

const ROOT = 0;

const otherwise = (user: string): string =>
  user === 'root' || user === String(ROOT)
    ? 'no user is set here, root neither'
    : `it would run as root and not as ${user}`;

/** Refuses a service with `user` if it would run as root: a root supervisor without `--sys` sets no user. */
export const impostor = ({ privilege }: ServiceSpec, facts: LaunchFacts): LaunchRefusal | undefined =>
  privilege.user !== undefined && !facts.privileged && facts.uid === ROOT
    ? {
        code: 'ERR0742',
        key: 'user',
        detail: `${otherwise(privilege.user)}: this supervisor was started without --sys`,
      }
    : undefined;

/**
 * Returns the groups of the process: the declared groups, and the groups of the account of its user. If the
 * service declares no user, the groups of the supervisor are used instead of those of an account.
 */
const groupsOf = ({ runsAs, groups }: LaunchFacts): readonly number[] => [
  ...new Set([...(runsAs.account?.groups ?? groups), ...runsAs.supplementary]),
];

/**
 * True if the service has schema 3 and runs as another user than root. By default such a service can never
 * gain rights.
 */
export const isAnotherByDefault = (
  { schema }: Pick<ServiceSpec, 'schema'>,
  { privileged, runsAs: { account } }: LaunchFacts,
): boolean => schema === 3 && privileged && account !== undefined && account.uid !== ROOT;

/** True if the process must keep its capabilities when it changes its user: a later step needs them. */
const keepsCapabilities = (spec: ServiceSpec, facts: LaunchFacts): boolean =>
  (spec.privilege.capabilities !== undefined || isAnotherByDefault(spec, facts)) && !usesUserNamespace(spec);

const groupKey = ({ supplementary, account }: LaunchFacts['runsAs']): string => {
  if (supplementary.length > 0) return 'supplementary_groups';
  return account === undefined ? 'group' : 'user';
};

/** Returns the steps that set groups before a user namespace is entered. Only declared groups are kept. */
const outerGroupSteps = ({ runsAs: { gid, supplementary } }: LaunchFacts): readonly PlannedStep[] => [
  { tag: 'groups', gids: supplementary, key: 'isolation.user', mayRefuse: [] },
  ...(gid === undefined ? [] : [{ tag: 'group', gid, key: 'group', mayRefuse: [] } as const]),
];

const groupSteps = (facts: LaunchFacts): readonly PlannedStep[] => {
  const { account, gid, supplementary } = facts.runsAs;
  const own = gid ?? account?.gid;
  if (own === undefined && supplementary.length === 0) return [];
  const all = { tag: 'groups', gids: groupsOf(facts), key: groupKey(facts.runsAs), mayRefuse: [] } as const;
  return own === undefined
    ? [all]
    : [all, { tag: 'group', gid: own, key: gid === undefined ? 'user' : 'group', mayRefuse: [] }];
};

/** Returns the steps that set groups and user outside of a user namespace. Without `--sys` there are none. */
export const identitySteps = (spec: ServiceSpec, facts: LaunchFacts): readonly PlannedStep[] => {
  if (!facts.privileged) return [];
  const { account } = facts.runsAs;
  if (facts.inside !== undefined && account === undefined) return outerGroupSteps(facts);
  if (account === undefined || usesUserNamespace(spec)) return groupSteps(facts);
  const keep = keepsCapabilities(spec, facts);
  return [...groupSteps(facts), { tag: 'user', uid: account.uid, keep, key: 'user', mayRefuse: [] }];
};

interface Unfit {
  /** The manifest key from which the invalid id comes. */
  readonly key: string;
  readonly detail: string;
}

const unfit = (key: string, ids: readonly number[]): Unfit | undefined => {
  const found = ids.find((id) => !isId(id));
  if (found === undefined) return undefined;
  const what = Number.isNaN(found) ? 'an account without a number' : `${found}`;
  return { key, detail: `${what} is not valid: users and groups have numbers from 0 to ${HIGHEST_ID}` };
};

/**
 * Returns the first id that Linux would misread, such as 2^32 - 1, which means "unchanged", and the key that
 * it comes from.
 */
export const unfitId = ({ account, gid, supplementary }: RunsAs): Unfit | undefined =>
  unfit('group', gid === undefined ? [] : [gid]) ??
  unfit('user', account === undefined ? [] : [account.uid, account.gid, ...account.groups]) ??
  unfit('supplementary_groups', supplementary);
