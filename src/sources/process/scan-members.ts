// Reads from the kernel which processes belong to a run (implements `ProcessScanner`). One scan of the
// process table serves all callers that are waiting.
// Rules: `docs/behaviour.md`, "Who belongs to a run".
import { defer, EMPTY, expand, from, map, switchMap, takeLast } from 'rxjs';
import { rlimitTagFor } from '../../os/children/rlimit-tag.ts';
import { userIdsOf } from '../../os/proc/process-facts.ts';
import type { ProcessScanner } from '../../streams/domain/ports.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { unitMark } from '../../streams/env/run-tag.ts';
import { type Marks, marks } from './read-tags.ts';
import { carriersOf, membersIn, NOTHING_PROVEN, provenAfter, type Proven, isOfUsers } from './members.ts';
import { sharedScan } from './shared-scan.ts';
import type { ProcessSnapshot } from './process-table.ts';
import { statReader } from '../../os/proc/process-stat.ts';
import { type KeptTable, keptTable } from './incremental-process-table.ts';
import { Claims } from './nested-supervisors.ts';

/**
 * Limits for a busy machine, where no scan is conclusive because processes keep starting and ending. A run
 * without a member counts as ended after `MOST_SCANS` scans, or after `LEAST_SCANS` scans that took at least
 * `PATIENCE_MS` ms, because a stop must not take longer.
 */
const MOST_SCANS = 50;
const LEAST_SCANS = 3;
const PATIENCE_MS = 1_000;

/** True if this number of scans in `took` ms is enough, although no scan was conclusive. */
const areEnough = (scans: number, took: number): boolean =>
  scans >= MOST_SCANS || (scans >= LEAST_SCANS && took >= PATIENCE_MS);

interface Identity {
  readonly leader: ProcessRef;
  readonly mark: string;
  readonly rlimitTag: string;
}

/**
 * Returns the uid with which the run was started, and the present uid of its main process if that is alive.
 */
const usersOf = (snapshot: ProcessSnapshot, { leader }: Identity): ReadonlySet<number> => {
  const isThere = snapshot.processes.get(leader.pid)?.startTicks === leader.startTicks;
  const now = isThere ? userIdsOf(leader.pid)?.real : undefined;
  return new Set([leader.uid, now].filter((uid) => uid !== undefined));
};

const NONE: ReadonlySet<number> = new Set();

/** Finds the members of runs, and remembers what earlier scans proved about each run. */
class Runs {
  readonly #self: ProcessRef;
  readonly #claims: Claims;
  readonly #proven = new Map<string, Proven>();

  constructor(dataDir: string, self: ProcessRef) {
    this.#self = self;
    this.#claims = new Claims(dataDir);
  }

  async membersOf(snapshot: ProcessSnapshot, identity: Identity): Promise<readonly ProcessRef[]> {
    const { mark } = identity;
    const proven = this.#proven.get(mark) ?? NOTHING_PROVEN;
    const run = { ...identity, proven };
    const kin = membersIn(snapshot, this.#self, { ...run, isBelieved: () => false });
    const believed = await this.#believed(snapshot, identity, kin);
    const members =
      believed.size === 0
        ? kin
        : membersIn(snapshot, this.#self, { ...run, isBelieved: ({ pid }) => believed.has(pid) });
    if (members.length === 0) this.#proven.delete(mark);
    else this.#proven.set(mark, provenAfter(snapshot, members, proven));
    return members;
  }

  /**
   * Returns the tagged processes that belong to the run only because of their run tag or rlimit tag. They
   * must have a user of the run, and must not belong to another supervisor.
   */
  async #believed(
    snapshot: ProcessSnapshot,
    identity: Identity,
    kin: readonly ProcessRef[],
  ): Promise<ReadonlySet<number>> {
    const proven = new Set(kin.map(({ pid }) => pid));
    const tagged = carriersOf(snapshot, identity).filter(({ pid, zombie }) => !zombie && !proven.has(pid));
    if (tagged.length === 0) return NONE;
    const users = usersOf(snapshot, identity);
    const believed = tagged.map(({ pid }) => pid).filter((pid) => isOfUsers(pid, users));
    const asked = believed.map((pid) => ({ pid, claim: snapshot.claims.get(pid) }));
    const elsewhere = await this.#claims.trueOf(asked);
    return new Set(believed.filter((pid) => !elsewhere.has(pid)));
  }
}

interface ScannerPorts {
  readonly dataDir: string;
  readonly table?: KeptTable;
  /** A reader of tags, which remembers the tags of earlier scans. Absent: a new reader. */
  readonly tags?: Marks | undefined;
  /** Returns milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/**
 * Creates the reader of run members. Ports (functions that read the system) that are not given read this
 * machine.
 */
export const processScanner = (ports: ScannerPorts): ProcessScanner => {
  const { now = () => performance.now() } = ports;
  const stat = statReader();
  const known = ports.tags ?? marks(ports.dataDir);
  const self = { pid: process.pid, startTicks: stat(process.pid)?.startTicks ?? 0 };
  const table = ports.table ?? keptTable({ stat, marks: known });
  const runs = new Runs(ports.dataDir, self);
  const scanFor = sharedScan((leaders: readonly ProcessRef[]) =>
    table.scan(Math.min(...leaders.map(({ startTicks }) => startTicks))),
  );
  const scanner: ProcessScanner = {
    membersOf(service, run, leader) {
      const mark = unitMark(service, run);
      const identity = { leader, mark, rlimitTag: rlimitTagFor(ports.dataDir, mark) };
      const once$ = defer(() => scanFor(leader)).pipe(
        switchMap((snapshot) =>
          from(runs.membersOf(snapshot, identity)).pipe(
            map((members) => ({ members, sure: !snapshot.undecided })),
          ),
        ),
      );
      return defer(() => {
        const since = now();
        return once$.pipe(
          expand(({ members, sure }, index) =>
            members.length > 0 || sure || areEnough(index + 1, now() - since) ? EMPTY : once$,
          ),
        );
      }).pipe(
        takeLast(1),
        map(({ members }) => members),
      );
    },
  };
  return scanner;
};
