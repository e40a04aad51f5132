// Finds the processes of a run in a snapshot (`docs/behaviour.md`, "Who belongs to a run"): its session, its
// process group, processes that have its run tag or rlimit tag, and the descendants of all these. Names,
// ports and command lines are never evidence. Any process can set a tag, so a tag counts only if the user of
// the process, which the kernel records, is a user of the run.
import { isWholly, userIdsOf } from '../../os/proc/process-facts.ts';
import { processKey, sameProcess, type ProcessRef } from '../../streams/domain/service/process.ts';
import type { ProcStat } from '../../os/proc/process-stat.ts';
import type { Index, ProcessSnapshot } from './process-table.ts';

/** The facts about a run that earlier scans have proved. They stay valid as long as the processes live. */
export interface Proven {
  /** The known members, each as `<pid>:<start time>`. */
  readonly members: ReadonlySet<string>;
  /** The sessions that members led. */
  readonly sessions: ReadonlySet<number>;
}

export const NOTHING_PROVEN: Proven = { members: new Set(), sessions: new Set() };

interface RunIdentity {
  readonly leader: ProcessRef;
  readonly mark: string;
  /**
   * The rlimit tag: a number in a resource limit that stands for the run tag, in decimal. Every descendant
   * inherits it.
   */
  readonly rlimitTag?: string;
  /** True if the run tag or rlimit tag of a process is enough to count it as a member (`isOfUsers`). */
  readonly isBelieved: (stat: ProcStat) => boolean;
  readonly proven?: Proven;
}

/**
 * Returns all living processes of the run, including its leader. The supervisor `self` and its ancestors
 * never belong to a run of this supervisor, even if the supervisor was started inside one.
 */
export const membersIn = (
  snapshot: ProcessSnapshot,
  self: ProcessRef,
  run: RunIdentity,
): readonly ProcessRef[] => {
  const spared = selfAndAncestors(snapshot, self.pid);
  const belongs = (stat: ProcStat): boolean =>
    sameProcess(stat, run.leader) || (!spared.has(stat.pid) && stat.startTicks >= run.leader.startTicks);
  const roots = [...rootsOf(snapshot, self, run), ...provenIn(snapshot, run.proven)].filter(belongs);
  return withDescendants(snapshot.byParent, roots, belongs)
    .filter(({ zombie }) => !zombie)
    .map(({ pid, startTicks }) => ({ pid, startTicks }));
};

/** Returns all processes that carry the run tag or the rlimit tag, even if the tag is not believed. */
export const carriersOf = (
  snapshot: ProcessSnapshot,
  run: Pick<RunIdentity, 'mark' | 'rlimitTag'>,
): readonly ProcStat[] => [
  ...(snapshot.byMark.get(run.mark) ?? []),
  ...(snapshot.byRlimitTag.get(run.rlimitTag ?? '') ?? []),
];

const provenIn = (snapshot: ProcessSnapshot, { members, sessions } = NOTHING_PROVEN): readonly ProcStat[] => {
  const found = [...members].flatMap((key) => {
    const stat = snapshot.processes.get(Number(key.slice(0, key.indexOf(':'))));
    return stat !== undefined && processKey(stat) === key ? [stat] : [];
  });
  return [...found, ...[...sessions].flatMap((session) => snapshot.bySession.get(session) ?? [])];
};

/**
 * Returns the processes and sessions that this scan or an earlier scan has proved to belong to the run.
 * Sessions that have become empty are left out, because Linux may use their numbers again.
 */
export const provenAfter = (
  snapshot: ProcessSnapshot,
  members: readonly ProcessRef[],
  { sessions }: Proven,
): Proven => {
  const led = members.filter(({ pid }) => snapshot.processes.get(pid)?.session === pid).map(({ pid }) => pid);
  const lasting = [...sessions].filter((session) => snapshot.bySession.has(session));
  return { members: new Set(members.map(processKey)), sessions: new Set([...led, ...lasting]) };
};

const rootsOf = (snapshot: ProcessSnapshot, self: ProcessRef, run: RunIdentity): readonly ProcStat[] => {
  const { pid } = run.leader;
  const carriers = carriersOf(snapshot, run).filter(run.isBelieved);
  if (!sessionIsOurs(snapshot, self, run)) return carriers;
  const leader = snapshot.processes.get(pid);
  const session = snapshot.bySession.get(pid) ?? [];
  const group = snapshot.byGroup.get(pid) ?? [];
  return [...(leader === undefined ? [] : [leader]), ...session, ...group, ...carriers];
};

/**
 * True if the session that has the number of the leader's pid still belongs to the run. The kernel reuses a
 * pid only when no session or group of that number lives, so one of these must hold:
 * - The leader of the session is present and is the leader of the run.
 * - A process that carries the tag of the run is in the session.
 * - The run started during the lifetime of this supervisor, which has observed the run since.
 */
const sessionIsOurs = (snapshot: ProcessSnapshot, self: ProcessRef, run: RunIdentity): boolean => {
  const { leader } = run;
  const present = snapshot.processes.get(leader.pid);
  if (present !== undefined) return present.startTicks === leader.startTicks;
  const carriers = carriersOf(snapshot, run);
  return leader.startTicks >= self.startTicks || carriers.some(({ session }) => session === leader.pid);
};

const withDescendants = (
  byParent: Index<number>,
  roots: readonly ProcStat[],
  belongs: (stat: ProcStat) => boolean,
): readonly ProcStat[] => {
  const found = new Map(roots.map((root) => [root.pid, root]));
  // The loop also visits members that it adds itself, because a map includes entries added meanwhile.
  for (const { pid } of found.values()) {
    for (const child of byParent.get(pid) ?? []) if (belongs(child)) found.set(child.pid, child);
  }
  return [...found.values()];
};

/** Returns `self`, all its ancestors, and pid 1. */
export const selfAndAncestors = (snapshot: ProcessSnapshot, self: number): ReadonlySet<number> => {
  const spared = new Set([1]);
  let pid: number | undefined = self;
  while (pid !== undefined && !spared.has(pid)) {
    spared.add(pid);
    pid = snapshot.processes.get(pid)?.parent;
  }
  return spared;
};

const ownUid = (): number => process.getuid?.() ?? 0;

const ROOT = 0;

/**
 * True if the real uid of the process is root, ours, or one of `users`. The real uid counts, because a
 * set-user-ID program keeps the real uid of its caller. Root counts, because a process can become root
 * entirely through such a program. Such a process may have a forged tag. An unprivileged supervisor cannot
 * kill it, so a stop stays unverified and names the process.
 */
export const isOfUsers = (pid: number, users: ReadonlySet<number>): boolean => {
  const ids = userIdsOf(pid);
  return ids !== undefined && (ids.real === ownUid() || ids.real === ROOT || users.has(ids.real));
};

/** True if the process may lead a run: all its uids are the same, and are our uid or one of `users`. */
export const isWhollyOfUsers = (pid: number, users: ReadonlySet<number>): boolean => {
  const ids = userIdsOf(pid);
  return [ownUid(), ...users].some((uid) => isWholly(uid, ids));
};
