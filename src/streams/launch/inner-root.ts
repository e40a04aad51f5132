// The ids that root of a service has outside of its user namespace: none of an account of this machine, or those that
// `/etc/subuid` and `/etc/subgid` give to root.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import type { LaunchFacts } from './facts.ts';
import { rangeFor, type Ids } from './id-map.ts';
import { usesUserNamespace } from './namespaces.ts';

/** Reads what the machine has given away. */
type ReadIds = () => { readonly users: Ids; readonly groups: Ids };

/**
 * For a service that is root of a user namespace: under version 3, by a privileged supervisor. Version 2 maps root to
 * root. `undefined` also if all ids are taken.
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

/** No account has a colon in its name. */
const INNER_ROOT = 'inner-root:';

/** What decides the uid of a service: its `user`, or a word for root of its own user namespace; else the supervisor's. */
export const accountNameOf = ({ id, schema, privilege }: ServiceSpec): string | undefined => {
  const isInnerRoot = schema === 3 && privilege.isolation?.user === true;
  return privilege.user ?? (isInnerRoot ? `${INNER_ROOT}${id}` : undefined);
};

/** The uid behind such a word; `undefined` for a name of an account. */
export const innerRootUid = (account: string, { users }: ReturnType<ReadIds>): number | undefined =>
  account.startsWith(INNER_ROOT) ? rangeFor(account.slice(INNER_ROOT.length), users)?.first : undefined;
