import { describe, expect, it } from 'vitest';
import { membersIn } from '../../../src/sources/process/members.ts';
import type { ProcStat } from '../../../src/os/proc/process-stat.ts';
import { indexed } from '../../../src/sources/process/process-table.ts';

const MARK = 'shop/web#3';
/** The supervisor: pid 50, started at tick 500; its guardian is 40. */
const SELF = { pid: 50, startTicks: 500 };
const LEADER = { pid: 100, startTicks: 1000 };

const RLIMIT_TAG = '4611686018427387907';

type Row = Partial<ProcStat> & { pid: number; mark?: string; rlimitTag?: string; isForeign?: boolean };
const members = (rows: Row[], leader = LEADER): number[] => {
  const world: Row[] = [{ pid: 1 }, { pid: 40, parent: 1 }, { pid: SELF.pid, parent: 40, startTicks: 500 }];
  const others = world.filter(({ pid }) => !rows.some((row) => row.pid === pid));
  const entries = [...others, ...rows].map(({ mark, rlimitTag, isForeign: _, ...row }) => ({
    stat: {
      zombie: false,
      parent: 1,
      group: row.pid,
      session: row.pid,
      startTicks: 2000,
      environmentAt: '1',
      ...row,
    },
    mark,
    rlimitTag,
  }));
  const foreign = new Set(rows.flatMap(({ pid, isForeign = false }) => (isForeign ? [pid] : [])));
  const isBelieved = ({ pid }: ProcStat): boolean => !foreign.has(pid);
  return membersIn(indexed(entries), SELF, { leader, mark: MARK, rlimitTag: RLIMIT_TAG, isBelieved }).map(
    ({ pid }) => pid,
  );
};
const leader: Row = { ...LEADER, parent: SELF.pid };

describe('members of a run in a process table', () => {
  it('the session and the process group of a run belong to it', () => {
    expect(members([leader, { pid: 101, session: 100 }, { pid: 102, group: 100 }, { pid: 103 }])).toEqual([
      100, 101, 102,
    ]);
  });

  it('processes with the mark of a run belong to it, and not those of another', () => {
    expect(members([leader, { pid: 101, mark: MARK }, { pid: 102, mark: 'shop/web#2' }])).toEqual([100, 101]);
  });

  it('processes started with the mark of a run belong to it with their descendants', () => {
    const rows = [leader, { pid: 101, rlimitTag: RLIMIT_TAG }, { pid: 102, parent: 101 }];
    expect(members([...rows, { pid: 103, rlimitTag: '4611686018427387906' }])).toEqual([100, 101, 102]);
  });

  it('descendants of members belong to the run', () => {
    const rows = [leader, { pid: 101, mark: MARK }, { pid: 102, parent: 101 }, { pid: 103, parent: 102 }];
    expect(members(rows)).toEqual([100, 101, 102, 103]);
  });

  it('of untrusted carriers of a mark only descendants of members and those in its session belong', () => {
    const strangers = [
      { pid: 101, mark: MARK, isForeign: true },
      { pid: 102, rlimitTag: RLIMIT_TAG, isForeign: true },
    ];
    const kin = [
      { pid: 103, mark: MARK, isForeign: true, session: 100 },
      { pid: 104, rlimitTag: RLIMIT_TAG, isForeign: true, parent: 103 },
    ];
    expect(members([leader, ...strangers, ...kin])).toEqual([100, 103, 104]);
  });

  it('zombies do not belong to a run', () => {
    expect(
      members([
        { ...leader, zombie: true },
        { pid: 101, session: 100 },
      ]),
    ).toEqual([101]);
  });

  it('a process older than the leader does not belong to its run', () => {
    expect(
      members([leader, { pid: 101, session: 100, startTicks: 999 }, { pid: 102, mark: MARK, startTicks: 1 }]),
    ).toEqual([100]);
  });
});

describe('processes that belong to no run', () => {
  it('the supervisor and its ancestors belong to no run, whatever mark they carry', () => {
    expect(
      members([
        leader,
        { pid: 50, parent: 40, startTicks: 1500, mark: MARK },
        { pid: 40, startTicks: 1500, mark: MARK },
      ]),
    ).toEqual([100]);
  });

  it('other children of a supervisor that was started in a run do not belong to it', () => {
    const rows = [leader, { pid: 50, parent: 100, startTicks: 1500 }, { pid: 200, parent: 50 }];
    expect(members(rows)).toEqual([100]);
  });

  it('process 1 belongs to no run', () => {
    expect(members([leader, { pid: 1, session: 100, startTicks: 3000 }])).toEqual([100]);
  });
});

describe('members when the leader is gone', () => {
  it('the session of a gone leader still counts for a run of this supervisor', () => {
    expect(members([{ pid: 101, session: 100 }])).toEqual([101]);
  });

  it('the session of a gone leader does not count if its pid was reused', () => {
    expect(
      members([
        { pid: 100, startTicks: 3000 },
        { pid: 101, session: 100, startTicks: 3001 },
      ]),
    ).toEqual([]);
  });

  it('the session of an adopted run counts only if a process with its mark is in it', () => {
    const adopted = { pid: 100, startTicks: 300 };
    expect(members([{ pid: 101, session: 100 }], adopted)).toEqual([]);
    expect(
      members(
        [
          { pid: 101, session: 100 },
          { pid: 102, session: 100, mark: MARK },
        ],
        adopted,
      ),
    ).toEqual([101, 102]);
  });
});
