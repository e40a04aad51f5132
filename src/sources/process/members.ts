// Finds the processes of a run in a snapshot: its session, its process group, the carriers of its mark, and
// all their descendants (`docs/behaviour.md`, "Who belongs to a run"). Only descent counts: never names,
// ports or command lines.
import { processKey, sameProcess, type ProcessRef } from '../../streams/domain/service/process.ts';
import type { ProcStat } from '../../os/proc/process-stat.ts';
import type { Index, ProcessSnapshot } from './process-table.ts';

/** What earlier scans proved about a run. It stays true while those processes live. */
export interface Proven {
  /** `<pid>:<start time>` */
  readonly members: ReadonlySet<string>;
  /** Sessions that members led. */
  readonly sessions: ReadonlySet<number>;
}

export const NOTHING_PROVEN: Proven = { members: new Set(), sessions: new Set() };

interface RunIdentity {
  readonly leader: ProcessRef;
  /** `<service>#<run>`. */
  readonly mark: string;
  /** The same as a number, which every descendant inherits. */
  readonly birthmark?: string;
  /** True if a process may count by mark or birthmark alone (`vouching.ts`). */
  readonly isBelieved: (stat: ProcStat) => boolean;
  readonly proven?: Proven;
}

/**
 * Returns all living processes of the run. `self` is the supervisor. Neither it nor its ancestors, such as
 * guardians, belong to its runs, even if it was started inside one. The leader always belongs.
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

/** Returns all carriers of the mark or the birthmark, believed or not. */
export const carriersOf = (
  snapshot: ProcessSnapshot,
  run: Pick<RunIdentity, 'mark' | 'birthmark'>,
): readonly ProcStat[] => [
  ...(snapshot.byMark.get(run.mark) ?? []),
  ...(snapshot.byBirthmark.get(run.birthmark ?? '') ?? []),
];

const provenIn = (snapshot: ProcessSnapshot, { members, sessions } = NOTHING_PROVEN): readonly ProcStat[] => {
  const found = [...members].flatMap((key) => {
    const stat = snapshot.processes.get(Number(key.slice(0, key.indexOf(':'))));
    return stat !== undefined && processKey(stat) === key ? [stat] : [];
  });
  return [...found, ...[...sessions].flatMap((session) => snapshot.bySession.get(session) ?? [])];
};

/** Returns what is proven after this scan. An empty session is dropped: its number may be reused. */
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
 * The kernel reuses a pid only when no session or group of that number lives. Afterwards another process may
 * lead a session of the same number, so the number alone proves nothing. The session is ours if one of these
 * holds:
 * - Its leader is present and is the same process.
 * - A carrier of the mark is in it.
 * - The run started in this supervisor's lifetime, and was watched since.
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
  // A map iterates in insertion order, and includes entries added meanwhile.
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
