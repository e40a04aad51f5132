// Resolves `user`, `group` and `supplementary_groups` of a manifest to ids on this machine.
import { findAccount, findGroup, NoAnswer } from '../../os/accounts.ts';
import type { Account } from '../../streams/domain/account.ts';
import type { Privilege } from '../../streams/domain/declared/spec.ts';
import type { RunsAs } from '../../streams/launch/facts.ts';
import { unfitId } from '../../streams/launch/unfit-id.ts';
import type { LaunchRefusal } from '../../streams/launch/refusal.ts';

/** The account or group does not exist. */
export class Unknown extends Error {
  readonly refusal: LaunchRefusal;

  constructor(key: string, detail: string, { final }: { readonly final: boolean } = { final: true }) {
    super(detail);
    this.refusal = { code: 'ERR0742', key, detail, ...(final && { final }) };
  }
}

/** Rejects with `Unknown` while the name service does not answer; a later attempt may succeed. */
const told = async <T>(key: string, answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof NoAnswer ? new Unknown(key, error.message, { final: false }) : error;
  }
};

const groupOf = async (wanted: string, key: string): Promise<number> => {
  const gid = await told(key, findGroup(wanted));
  if (gid === undefined) throw new Unknown(key, `this machine has no group "${wanted}"`);
  return gid;
};

/** An account for a bare uid that has none; it needs a named group. */
const stranger = (user: string, gid: number | undefined): Account => {
  if (!/^\d+$/.test(user)) throw new Unknown('user', `this machine has no user "${user}"`);
  if (gid === undefined)
    throw new Unknown('user', `user ${user} has no account, and so no group: name one with group`);
  return { name: user, uid: Number(user), gid, groups: [gid], home: '/', shell: '/bin/sh' };
};

/** Resolves the ids that a service runs with. Rejects with `Unknown`. */
export const runsAs = async ({ user, group, supplementaryGroups }: Privilege): Promise<RunsAs> => {
  const gid = group === undefined ? undefined : await groupOf(group, 'group');
  const account =
    user === undefined ? undefined : ((await told('user', findAccount(user))) ?? stranger(user, gid));
  const supplementary: number[] = [];
  for (const name of supplementaryGroups) supplementary.push(await groupOf(name, 'supplementary_groups'));
  const who = { ...(account && { account }), ...(gid !== undefined && { gid }), supplementary };
  const unfit = unfitId(who);
  if (unfit !== undefined) throw new Unknown(unfit.key, unfit.detail);
  return who;
};
