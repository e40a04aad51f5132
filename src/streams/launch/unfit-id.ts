// Ids that the kernel would misread: 2^32 - 1 means "unchanged", and a larger number loses its upper bits, so
// that it may become root's.
import { HIGHEST_ID, isId } from '../domain/account.ts';
import type { RunsAs } from './facts.ts';

interface Unfit {
  /** The manifest key that asks for the id. */
  readonly key: string;
  readonly detail: string;
}

const unfit = (key: string, ids: readonly number[]): Unfit | undefined => {
  const found = ids.find((id) => !isId(id));
  if (found === undefined) return undefined;
  const what = Number.isNaN(found) ? 'an account without a number' : `${found}`;
  return { key, detail: `${what} is nobody: users and groups have numbers from 0 to ${HIGHEST_ID}` };
};

/**
 * Returns the first id that the kernel would misread, with its key; `undefined` if all are valid. 2^32 - 1 means
 * "unchanged" to it, and a larger number loses its upper bits, so that it may become root's.
 */
export const unfitId = ({ account, gid, supplementary }: RunsAs): Unfit | undefined =>
  unfit('group', gid === undefined ? [] : [gid]) ??
  unfit('user', account === undefined ? [] : [account.uid, account.gid, ...account.groups]) ??
  unfit('supplementary_groups', supplementary);
