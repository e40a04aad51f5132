// Who belongs to a run, read off a snapshot of the process table: its session, its process group, the carriers of its
// mark, and all their descendants (`docs/behaviour.md`, "Who belongs to a run"). Provenance only: never names, ports or
// command lines.
import { sameProcess, type ProcessRef } from '../../streams/domain/service/process.ts';
import type { ProcStat } from '../../os/proc/stat-line.ts';
import type { Index, Snapshot } from './snapshot.ts';

/** What earlier looks of this supervisor have proven of a run. It stays true of those who are still there. */
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
  /** The same, as it is written into whoever is born. */
  readonly birthmark?: string;
  /** Whether one that is known by mark or birthmark alone is believed (`vouching.ts`). */
  readonly isBelieved: (stat: ProcStat) => boolean;
  readonly proven?: Proven;
}

const keyOf = ({ pid, startTicks }: ProcessRef): string => `${pid}:${startTicks}`;

/**
 * Everybody alive of the run. `self` is the supervisor: neither it nor its guardians, its ancestors, belong to a run of
 * its own, even if it was started from within one; the leader does in any case.
 */
export const membersIn = (snapshot: Snapshot, self: ProcessRef, run: RunIdentity): readonly ProcessRef[] => {
  const spared = selfAndAncestors(snapshot, self.pid);
  const belongs = (stat: ProcStat): boolean =>
    sameProcess(stat, run.leader) || (!spared.has(stat.pid) && stat.startTicks >= run.leader.startTicks);
  const roots = [...rootsOf(snapshot, self, run), ...provenIn(snapshot, run.proven)].filter(belongs);
  return withDescendants(snapshot.byParent, roots, belongs)
    .filter(({ zombie }) => !zombie)
    .map(({ pid, startTicks }) => ({ pid, startTicks }));
};

/** All that carry its mark or its birthmark, believed or not. */
export const carriersOf = (
  snapshot: Snapshot,
  run: Pick<RunIdentity, 'mark' | 'birthmark'>,
): readonly ProcStat[] => [
  ...(snapshot.byMark.get(run.mark) ?? []),
  ...(snapshot.byBirthmark.get(run.birthmark ?? '') ?? []),
];

const provenIn = (snapshot: Snapshot, { members, sessions } = NOTHING_PROVEN): readonly ProcStat[] => {
  const found = [...members].flatMap((key) => {
    const stat = snapshot.processes.get(Number(key.slice(0, key.indexOf(':'))));
    return stat !== undefined && keyOf(stat) === key ? [stat] : [];
  });
  return [...found, ...[...sessions].flatMap((session) => snapshot.bySession.get(session) ?? [])];
};

/** What is proven after this look. A session of which nobody was there says nothing of a later one of its number. */
export const provenAfter = (
  snapshot: Snapshot,
  members: readonly ProcessRef[],
  { sessions }: Proven,
): Proven => {
  const led = members.filter(({ pid }) => snapshot.processes.get(pid)?.session === pid).map(({ pid }) => pid);
  const lasting = [...sessions].filter((session) => snapshot.bySession.has(session));
  return { members: new Set(members.map(keyOf)), sessions: new Set([...led, ...lasting]) };
};

const rootsOf = (snapshot: Snapshot, self: ProcessRef, run: RunIdentity): readonly ProcStat[] => {
  const { pid } = run.leader;
  const carriers = carriersOf(snapshot, run).filter(run.isBelieved);
  if (!sessionIsOurs(snapshot, self, run)) return carriers;
  const leader = snapshot.processes.get(pid);
  const session = snapshot.bySession.get(pid) ?? [];
  const group = snapshot.byGroup.get(pid) ?? [];
  return [...(leader === undefined ? [] : [leader]), ...session, ...group, ...carriers];
};

/**
 * The kernel gives a pid to nobody else while a session or group of that number lives, but it may after the last of
 * them died, and a stranger may then lead a session of the same number. So the number alone proves nothing: either
 * its leader is there and is the very one, or one who carries the mark is in it, or the run began in this supervisor's
 * own lifetime, which has watched it ever since.
 */
const sessionIsOurs = (snapshot: Snapshot, self: ProcessRef, run: RunIdentity): boolean => {
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
  // A map is walked in the order of insertion, and what is inserted on the way is walked too.
  for (const { pid } of found.values()) {
    for (const child of byParent.get(pid) ?? []) if (belongs(child)) found.set(child.pid, child);
  }
  return [...found.values()];
};

/** `self` and all its ancestors, the first process of the machine included. */
export const selfAndAncestors = (snapshot: Snapshot, self: number): ReadonlySet<number> => {
  const spared = new Set([1]);
  let pid: number | undefined = self;
  while (pid !== undefined && !spared.has(pid)) {
    spared.add(pid);
    pid = snapshot.processes.get(pid)?.parent;
  }
  return spared;
};
