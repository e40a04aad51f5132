// Turns the spec of a service into a launch plan: looks up users, groups and facts about this machine, and
// creates the cgroup.
// Rules: `docs/behaviour.md`, "Restarting", "Refused for good".
import { findAccount, findGroup, machineIds, NoAnswer } from '../../os/accounts.ts';
import { INSTALL_FFI } from '../../os/libc/libc.ts';
import { ownCapabilities } from '../../os/proc/confinement.ts';
import { onlineCpus } from '../../os/proc/machine-facts.ts';
import { provideStateDirectory } from './state-directory.ts';
import { makeCgroup, NoCgroup } from './cgroup.ts';
import { LaunchRefused } from './launch-reports.ts';
import type { Account } from '../../streams/domain/account.ts';
import type { Privilege, ServiceSpec } from '../../streams/domain/declared/spec.ts';
import type { Skipped } from '../../streams/domain/service/service-run.ts';
import { cgroupOf } from '../../streams/launch/cgroup-path.ts';
import { mayNotCommand } from '../../streams/launch/confined.ts';
import type { HiddenPlaces, LaunchFacts, RunsAs } from '../../streams/launch/launch-facts.ts';
import { ignoredKeys } from '../../streams/launch/keys-without-effect.ts';
import { innerRoot } from '../../streams/launch/namespace-steps.ts';
import { finalRefusal } from '../../streams/launch/launch-refusal.ts';
import { asksForNothing, launchPlan } from '../../streams/launch/launch-plan.ts';
import type { LaunchStage } from '../../streams/launch/launch-step.ts';
import { unfitId } from '../../streams/launch/identity-steps.ts';

/** Returns the error for an unknown user or group. `final: false`: a later attempt may succeed. */
const unknown = (key: string, detail: string, { final } = { final: true }): LaunchRefused => {
  const refusal = { code: 'ERR0742', key, detail } as const;
  return new LaunchRefused(final ? finalRefusal(refusal) : refusal);
};

/** Resolves with the answer of the name service. Without an answer, rejects: a later attempt may succeed. */
const told = async <T>(key: string, answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof NoAnswer ? unknown(key, error.message, { final: false }) : error;
  }
};

const groupOf = async (wanted: string, key: string): Promise<number> => {
  const gid = await told(key, findGroup(wanted));
  if (gid === undefined) throw unknown(key, `this machine has no group "${wanted}"`);
  return gid;
};

/**
 * Returns an account for a uid that is not in the user database. Throws `LaunchRefused` if `user` is a name,
 * or if the service declares no group.
 */
const stranger = (user: string, gid: number | undefined): Account => {
  if (!/^\d+$/.test(user)) throw unknown('user', `this machine has no user "${user}"`);
  if (gid === undefined)
    throw unknown('user', `user ${user} has no account, and so no group: name one with group`);
  return { name: user, uid: Number(user), gid, groups: [gid], home: '/', shell: '/bin/sh' };
};

/** Resolves with the ids that a service runs with. Rejects with `LaunchRefused`. */
export const runsAs = async ({ user, group, supplementaryGroups }: Privilege): Promise<RunsAs> => {
  const gid = group === undefined ? undefined : await groupOf(group, 'group');
  const account =
    user === undefined ? undefined : ((await told('user', findAccount(user))) ?? stranger(user, gid));
  const supplementary: number[] = [];
  for (const name of supplementaryGroups) supplementary.push(await groupOf(name, 'supplementary_groups'));
  const identity = { ...(account && { account }), ...(gid !== undefined && { gid }), supplementary };
  const unfit = unfitId(identity);
  if (unfit !== undefined) throw unknown(unfit.key, unfit.detail);
  return identity;
};

export interface Mode {
  /** True with `--sys`. */
  readonly privileged: boolean;
  readonly launcher: string;
  /** The soft limit on open files for a service that declares none. */
  readonly softFiles?: number | undefined;
  /** The directory where services see their credentials. */
  readonly credentialsAt: string;
  /** Paths that are hidden from confined services. */
  readonly hidden?: HiddenPlaces;
  /** False if this supervisor cannot determine which process uses the control socket. */
  readonly isJudging?: () => boolean;
}

export interface Prepared {
  /** The steps, one stage for each launcher; empty: no launcher is needed. */
  readonly stages: readonly LaunchStage[];
  /** The account of the service; absent: the supervisor's account. */
  readonly account?: Account;
  /** The owner of the service's output; absent: the supervisor's user. */
  readonly owner?: { readonly told: string; readonly uid: number; readonly gid: number };
  readonly cgroup?: string;
  /** Settings that have no effect on this machine, and for schema 2 settings that could not be prepared. */
  readonly skipped: readonly Skipped[];
}

const ROOT = 0;
const SUPERVISOR_USER: RunsAs = { supplementary: [] };
const PLAIN: Prepared = { stages: [], skipped: [] };

const architecture = (): LaunchFacts['architecture'] =>
  process.arch === 'x64' || process.arch === 'arm64' ? process.arch : 'other';

type Cgroup = Pick<Prepared, 'cgroup' | 'skipped'>;

/**
 * Creates the cgroup. If that fails, a service of schema 2 runs without a cgroup, and a service of schema 3
 * is refused.
 */
const cgroupFor = (spec: ServiceSpec, { privileged }: Mode): Cgroup => {
  const cgroup = cgroupOf(spec);
  const declared = spec.privilege.limits?.cgroup;
  if (!privileged || cgroup === undefined || declared === undefined) return { skipped: [] };
  try {
    makeCgroup(declared, cgroup);
    return { cgroup, skipped: [] };
  } catch (error) {
    if (!(error instanceof NoCgroup)) throw error;
    const refusal = { key: 'limits.cgroup', detail: error.message };
    if (spec.schema === 3) throw new LaunchRefused({ code: 'ERR0726', ...refusal });
    return { skipped: [refusal] };
  }
};

type Found = Pick<LaunchFacts, 'runsAs' | 'inside'> & Pick<Cgroup, 'cgroup'>;

const factsOf = (
  { runsAs: identity, inside, cgroup }: Found,
  { privileged, hidden, credentialsAt }: Mode,
): LaunchFacts => ({
  ...{ privileged, credentialsAt },
  uid: process.getuid?.() ?? 0,
  groups: process.getgroups?.() ?? [],
  runsAs: identity,
  ...(inside && { inside }),
  cpus: onlineCpus(),
  capabilities: ownCapabilities(),
  architecture: architecture(),
  ...(hidden !== undefined && { hidden }),
  ...(cgroup !== undefined && { cgroup }),
});

const uidOutside = ({ uid, runsAs: { account }, inside }: LaunchFacts): number =>
  account?.uid ?? inside?.users.first ?? uid;

/** Throws `LaunchRefused` if a confined service of schema 3 has uid 0 and could command the supervisor. */
const refuseUnwalled = (spec: ServiceSpec, facts: LaunchFacts, mode: Mode): void => {
  if (spec.schema === 2 || uidOutside(facts) !== ROOT || !mayNotCommand(spec, facts)) return;
  if (mode.isJudging?.() !== false) return;
  const detail = `a confined service that stays root could command the supervisor: ${INSTALL_FFI}`;
  throw new LaunchRefused({ code: 'ERR0745', key: 'control', detail });
};

const ownerOf = ({ account, gid }: RunsAs, inside: LaunchFacts['inside']): Prepared['owner'] => {
  if (account !== undefined)
    return { told: `user ${account.name} (${account.uid}, of group ${account.gid})`, ...account };
  if (inside === undefined) return undefined;
  const [uid, own] = [inside.users.first, gid ?? inside.groups.first];
  return { told: `root of a user namespace (${uid} outside, of group ${own})`, uid, gid: own };
};

/** Returns the owner of files that the service writes: the service's own user, or else the supervisor's. */
const writerOf = (identity: RunsAs, inside: LaunchFacts['inside']): { uid: number; gid: number } => {
  const own = process.getuid?.() ?? ROOT;
  const group = identity.gid ?? process.getgid?.() ?? ROOT;
  const { uid, gid } = ownerOf(identity, inside) ?? { uid: own, gid: group };
  return { uid, gid: identity.gid ?? gid };
};

/** Makes the state directory of the service, if it declares one. Throws `LaunchRefused`. */
const withState = (spec: ServiceSpec, identity: RunsAs, { inside, sys }: StateFacts): void => {
  if (spec.stateDir !== undefined) provideStateDirectory(spec.stateDir, writerOf(identity, inside), { sys });
};

interface StateFacts {
  readonly inside?: LaunchFacts['inside'];
  /** True with `--sys`. */
  readonly sys: boolean;
}

/** Makes the state directory for a command that runs as the supervisor's user before the service runs. */
export const provideState = async (spec: ServiceSpec, { privileged: sys }: Mode): Promise<void> => {
  const identity = sys ? await runsAs(spec.privilege) : SUPERVISOR_USER;
  withState(spec, identity, { inside: innerRoot(spec, sys, machineIds), sys });
};

/** Prepares the launch of a service, and makes its state directory. Rejects with `LaunchRefused`. */
export const prepare = async (spec: ServiceSpec, mode: Mode): Promise<Prepared> => {
  if (asksForNothing(spec)) {
    withState(spec, SUPERVISOR_USER, { sys: mode.privileged });
    return PLAIN;
  }
  const identity = mode.privileged ? await runsAs(spec.privilege) : SUPERVISOR_USER;
  const cgroup = cgroupFor(spec, mode);
  const inside = innerRoot(spec, mode.privileged, machineIds);
  const facts = factsOf({ runsAs: identity, ...(inside && { inside }), ...cgroup }, mode);
  refuseUnwalled(spec, facts, mode);
  const plan = launchPlan(spec, facts);
  if (plan.tag === 'refused') throw new LaunchRefused(plan.refusal);
  withState(spec, identity, { inside, sys: mode.privileged });
  const skipped = [...ignoredKeys(spec, mode.privileged), ...cgroup.skipped];
  const owner = ownerOf(identity, inside);
  return {
    ...cgroup,
    ...{ skipped, stages: plan.stages },
    ...(identity.account && { account: identity.account }),
    ...(owner && { owner }),
  };
};
