// The outer ids of a service's root in its user namespace: unused by the machine's accounts, or those that
// `/etc/subuid` and `/etc/subgid` give to root.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { LaunchFacts } from './facts.ts';
import { rangeFor, type Ids } from './id-map.ts';
import { usesUserNamespace } from './namespaces.ts';

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
