// Who belongs to a run, read off a snapshot of the process table: its session, its process group, the carriers of its
// mark, and all their descendants (`docs/behaviour.md`, "Who belongs to a run"). Provenance only: never names, ports or
// command lines.
import { sameProcess, type ProcessRef } from '../../streams/domain/service/process.ts';
import type { ProcStat } from '../../os/proc/stat-line.ts';
import type { Index, Snapshot } from './snapshot.ts';

interface RunIdentity {
  readonly leader: ProcessRef;
  /** `<service>#<run>`. */
  readonly mark: string;
  /** The same, as it is written into whoever is born. */
  readonly birthmark?: string;
}

/**
 * Everybody alive of the run. `self` is the supervisor: neither it nor its guardians, its ancestors, belong to a run of
 * its own, even if it was started from within one; the leader does in any case.
 */
export const membersIn = (snapshot: Snapshot, self: ProcessRef, run: RunIdentity): readonly ProcessRef[] => {
  const spared = selfAndAncestors(snapshot, self.pid);
  const belongs = (stat: ProcStat): boolean =>
    sameProcess(stat, run.leader) || (!spared.has(stat.pid) && stat.startTicks >= run.leader.startTicks);
  const roots = rootsOf(snapshot, self, run).filter(belongs);
  return withDescendants(snapshot.byParent, roots, belongs)
    .filter(({ zombie }) => !zombie)
    .map(({ pid, startTicks }) => ({ pid, startTicks }));
};

const carriersOf = (snapshot: Snapshot, { mark, birthmark = '' }: RunIdentity): readonly ProcStat[] => [
  ...(snapshot.byMark.get(mark) ?? []),
  ...(snapshot.byBirthmark.get(birthmark) ?? []),
];

const rootsOf = (snapshot: Snapshot, self: ProcessRef, run: RunIdentity): readonly ProcStat[] => {
  const { pid } = run.leader;
  const carriers = carriersOf(snapshot, run);
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
