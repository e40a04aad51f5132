// Numbers that the kernel would take for something else, wherever they came from: 2^32 - 1 is "as it is", and what is
// larger loses its upper bits, so that it may be root's.
import { HIGHEST_ID, isId } from '../domain/account.ts';
import type { RunsAs } from './facts.ts';

interface Unfit {
  /** Of the manifest. */
  readonly key: string;
  readonly detail: string;
}

const unfit = (key: string, ids: readonly number[]): Unfit | undefined => {
  const found = ids.find((id) => !isId(id));
  if (found === undefined) return undefined;
  const what = Number.isNaN(found) ? 'an account without a number' : `${found}`;
  return { key, detail: `${what} is nobody: users and groups have numbers from 0 to ${HIGHEST_ID}` };
};

/** The first of them, with the key that asks for it; `undefined`: the kernel takes each for what it is. */
export const unfitId = ({ account, gid, supplementary }: RunsAs): Unfit | undefined =>
  unfit('group', gid === undefined ? [] : [gid]) ??
  unfit('user', account === undefined ? [] : [account.uid, account.gid, ...account.groups]) ??
  unfit('supplementary_groups', supplementary);
