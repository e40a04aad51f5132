// Finds the runs that outlived the previous supervisor. If a recorded process is alive, its run is alive.
// Other processes are recognised by their run tag or rlimit tag, if they have a user of the run
// (`members.ts`). Records may be outdated: a run that only the process table shows is found, too, so that no
// service is started twice (`docs/behaviour.md`, "Adoption").
import { marksBorn } from '../../os/children/rlimit-tag.ts';
import { momentOf } from '../../os/proc/machine-facts.ts';
import { type ProcStat, statReader } from '../../os/proc/process-stat.ts';
import { userIdsOf } from '../../os/proc/process-facts.ts';
import type { Found } from '../../streams/domain/event.ts';
import { sameProcess, type ProcessRef } from '../../streams/domain/service/process.ts';
import { CHILD, runOfMark, unitMark } from '../../streams/env/run-tag.ts';
import type { KnownService } from './services-to-search.ts';
import { type Marks, marks } from './read-tags.ts';
import { selfAndAncestors, isOfUsers, isWhollyOfUsers } from './members.ts';
import { type ProcessSnapshot, takeSnapshot } from './process-table.ts';
import { Claims } from './nested-supervisors.ts';

/**
 * True for a session leader. The supervisor makes the first process of each run a session leader, and all
 * other processes of the run descend from it.
 */
const isLeader = ({ pid, session }: ProcStat): boolean => pid === session;

const firstBorn = (carriers: readonly ProcStat[]): ProcStat | undefined =>
  carriers.toSorted((a, b) => a.startTicks - b.startTicks)[0];

/**
 * Returns the pid and start time of the process, and its uid if it differs from the uid of this supervisor.
 * By this uid, later scans recognise other processes of the run.
 */
const identified = ({ pid, startTicks }: ProcStat): ProcessRef => {
  const uid = userIdsOf(pid)?.real;
  return { pid, startTicks, ...(uid !== undefined && uid !== process.getuid?.() && { uid }) };
};

const NO_USERS: ReadonlySet<number> = new Set();

/** The processes that carry the tag of one run, and the facts about this run in the records. */
interface Carriers {
  readonly mark: string;
  readonly users: ReadonlySet<number>;
  readonly carriers: readonly ProcStat[];
  /**
   * The recorded process of the run, if it is alive. `isChild`: a service requested the run with `sup spawn`.
   */
  readonly recorded?: { readonly stat: ProcStat; readonly isChild: boolean };
  /**
   * The session that the recorded process led, if the process has ended. A tagged process in this session
   * belongs to the run.
   */
  readonly session?: number;
}

interface Living {
  readonly found: readonly Found[];
  /**
   * Processes that carry the tag of a run but are ignored: they are not in the session of the run, do not
   * have a user of the run, and their parent is pid 1 or the supervisor.
   */
  readonly ignored: readonly number[];
}

/** Returns the processes of each run, by run tag. If a process has both tags, its rlimit tag decides. */
const carriersByMark = (
  { byMark, byRlimitTag }: ProcessSnapshot,
  dataDir: string,
  known: readonly KnownService[],
): ReadonlyMap<string, ReadonlySet<ProcStat>> => {
  const ids = known.map(({ id }) => id);
  const markOf = marksBorn(dataDir, ids);
  const carriers = new Map<string, Set<ProcStat>>();
  const add = (mark: string, stats: readonly ProcStat[]): void => {
    carriers.set(mark, new Set([...(carriers.get(mark) ?? []), ...stats]));
  };
  const born = [...byRlimitTag].flatMap(([rlimitTag, stats]) => {
    const mark = markOf(rlimitTag);
    return mark === undefined ? [] : [{ mark, stats }];
  });
  const tagged = new Set(born.flatMap(({ stats }) => stats));
  for (const { mark, stats } of born) add(mark, stats);
  for (const [mark, stats] of byMark) {
    const untagged = stats.filter((stat) => !tagged.has(stat));
    add(mark, untagged);
  }
  for (const { id, recorded } of known) for (const { run } of recorded) add(unitMark(id, run), []);
  return carriers;
};

type Recorded = KnownService['recorded'][number];

/**
 * Returns the recorded process if it is alive; if it has ended and its pid is not reused, the session that it
 * led.
 */
const standing = (
  processes: ProcessSnapshot['processes'],
  one: Recorded | undefined,
): Pick<Carriers, 'recorded' | 'session'> => {
  if (one === undefined) return {};
  const { process: ref, isChild } = one;
  const present = processes.get(ref.pid);
  if (present === undefined) return { session: ref.pid };
  if (!sameProcess(present, ref)) return {};
  return present.zombie ? { session: ref.pid } : { recorded: { stat: present, isChild } };
};

const gathered = (
  snapshot: ProcessSnapshot,
  dataDir: string,
  known: readonly KnownService[],
): readonly Carriers[] => {
  const services = new Map(known.map((service) => [service.id as string, service]));
  return [...carriersByMark(snapshot, dataDir, known)].map(([mark, stats]) => {
    const unit = runOfMark(mark);
    const { users = NO_USERS, recorded = [] } = services.get(unit?.service ?? '') ?? {};
    const one = recorded.find(({ run }) => run === unit?.run);
    const carriers = [...stats].filter(({ zombie }) => !zombie);
    return { mark, users, carriers, ...standing(snapshot.processes, one) };
  });
};

class Search {
  readonly #claims: Claims;
  readonly #snapshot: ProcessSnapshot;
  readonly #spared: ReadonlySet<number>;
  readonly ignored: number[] = [];

  constructor(dataDir: string, snapshot: ProcessSnapshot) {
    this.#claims = new Claims(dataDir);
    this.#snapshot = snapshot;
    this.#spared = selfAndAncestors(snapshot, process.pid);
  }

  /**
   * Returns the run with this tag if it has a living process. The leader of the run is the recorded process
   * if it is alive, otherwise the oldest session leader of the run, otherwise the oldest process of the run.
   */
  async found({ mark, users, carriers, recorded, session }: Carriers): Promise<readonly Found[]> {
    const unit = runOfMark(mark);
    if (unit === undefined) return [];
    const told = (stat: ProcStat): Found => ({
      ...unit,
      process: identified(stat),
      since: momentOf(stat.startTicks),
    });
    if (recorded !== undefined)
      return [{ ...told(recorded.stat), ...(recorded.isChild && { child: true as const }) }];
    const others = carriers.filter(({ pid }) => !this.#spared.has(pid));
    const believed = await this.#believed(others, { users, session });
    const leader = firstBorn(carriers.filter((stat) => this.#mayLead(stat, believed, users)));
    const one = leader ?? firstBorn(believed);
    if (one === undefined) return [];
    const isChild = await this.#isOfChild(one.pid);
    return [
      { ...told(one), ...(leader === undefined && { orphaned: true }), ...(isChild && { child: true }) },
    ];
  }

  /**
   * True if the process may be the leader of the run. The supervisor or one of its ancestors may be the
   * leader of a run in which the supervisor was started, but they are never other members of a run.
   */
  #mayLead(stat: ProcStat, believed: readonly ProcStat[], users: ReadonlySet<number>): boolean {
    const counts = believed.includes(stat) || this.#spared.has(stat.pid);
    return isLeader(stat) && counts && isWhollyOfUsers(stat.pid, users);
  }

  async #believed(
    carriers: readonly ProcStat[],
    { users, session }: { readonly users: ReadonlySet<number>; readonly session: number | undefined },
  ): Promise<readonly ProcStat[]> {
    const isKin = (stat: ProcStat): boolean => stat.session === session || stat.group === session;
    const counted = carriers.filter((stat) => isKin(stat) || isOfUsers(stat.pid, users));
    const set = new Set(counted);
    this.ignored.push(
      ...carriers.filter((stat) => !set.has(stat) && !this.#isKinOf(stat)).map(({ pid }) => pid),
    );
    const asked = counted.map(({ pid }) => ({ pid, claim: this.#snapshot.claims.get(pid) }));
    const elsewhere = await this.#claims.trueOf(asked);
    return counted.filter(({ pid }) => !elsewhere.has(pid));
  }

  /** True if the parent of the process is neither pid 1 nor the supervisor. */
  #isKinOf({ parent }: ProcStat): boolean {
    return parent > 1 && parent !== process.pid;
  }

  /** True if the process belongs to a child that a service requested. */
  async #isOfChild(pid: number): Promise<boolean> {
    return (await this.#claims.environmentOf(pid)).some((variable) => variable.startsWith(`${CHILD}=`));
  }
}

/**
 * Returns every run of this data directory that has a living process. Of a service that is not in `known`,
 * only processes of our own user are found, by their environment.
 */
export const scanForLiving = async (
  dataDir: string,
  known: readonly KnownService[],
  tags: Marks = marks(dataDir),
): Promise<Living> => {
  const snapshot = await takeSnapshot({ stat: statReader(), marks: tags });
  const search = new Search(dataDir, snapshot);
  const found: Found[] = [];
  for (const one of gathered(snapshot, dataDir, known)) found.push(...(await search.found(one)));
  return { found, ignored: search.ignored };
};

export const livingRuns = async (
  dataDir: string,
  known: readonly KnownService[],
): Promise<readonly Found[]> => (await scanForLiving(dataDir, known)).found;
