import { describe, expect, it } from 'vitest';
import type { ProcStat } from '../../../src/os/proc/process-stat.ts';
import { keptTable, type KeptTable } from '../../../src/sources/process/incremental-process-table.ts';

const MOST = 32_768;

/** A machine on which processes come and go. */
class Machine {
  readonly alive = new Map<number, ProcStat>();
  readonly looked: number[] = [];
  listings = 0;
  now = 0;
  latest = 100;
  begun = 0;
  /** What happens while a process is read. */
  meanwhile: (pid: number) => void = () => undefined;

  begin(startTicks: number, more: Partial<ProcStat> = {}): number {
    this.begun += 1;
    this.latest = (this.latest + 1) % MOST;
    const pid = this.latest;
    const one = { pid, startTicks, zombie: false, parent: 1, group: pid, session: pid, environmentAt: '1' };
    this.alive.set(pid, { ...one, ...more });
    return pid;
  }

  table(): KeptTable {
    return keptTable({
      most: MOST,
      now: () => this.now,
      latest: () => this.latest,
      isTaken: (pid) => {
        const isTaken = this.alive.has(pid);
        if (!isTaken) this.looked.push(pid);
        return isTaken;
      },
      begun: () => this.begun,
      pids: () => {
        this.listings += 1;
        return [...this.alive.keys()];
      },
      stat: (pid) => {
        this.looked.push(pid);
        this.meanwhile(pid);
        return this.alive.get(pid);
      },
      marks: {
        markOf: ({ parent }) => (parent === 7 ? 'mine' : undefined),
        rlimitTagOf: () => undefined,
        claimOf: () => undefined,
        isTold: () => true,
        retain: () => undefined,
      },
    });
  }
}

/** Scans for processes of a leader that started at tick 100; `mine` lists the pids with the mark. */
const lookAt = async (
  machine: Machine,
  table: KeptTable,
): Promise<{
  readonly mine: readonly number[];
  readonly undecided: boolean;
  readonly looked: readonly number[];
}> => {
  machine.looked.length = 0;
  const { byMark, undecided } = await table.scan(100);
  return { mine: (byMark.get('mine') ?? []).map(({ pid }) => pid), undecided, looked: [...machine.looked] };
};

const machineWith = async (elders: number): Promise<{ machine: Machine; table: KeptTable }> => {
  const machine = new Machine();
  for (let count = 0; count < elders; count += 1) machine.begin(50, { zombie: true });
  const table = machine.table();
  await lookAt(machine, table);
  machine.listings = 0;
  return { machine, table };
};

describe('the incremental process table', () => {
  it('the table reads only new processes and those younger than the leader, and lists nothing', async () => {
    const { machine, table } = await machineWith(20_000);
    const [first, second] = [machine.begin(150, { parent: 7 }), machine.begin(150)];
    expect(await lookAt(machine, table)).toEqual({
      mine: [first],
      undecided: false,
      looked: [first, second],
    });
    const third = machine.begin(160, { parent: 7 });
    machine.now = 5_000;
    expect(await lookAt(machine, table)).toEqual({
      ...{ mine: [first, third], undecided: false },
      looked: [first, second, third],
    });
    expect(machine.listings).toBe(0);
  });

  it('the table reads a pid without a visible process once more, for a limited time', async () => {
    const { machine, table } = await machineWith(10);
    const pid = machine.begin(150, { parent: 7 });
    const born = machine.alive.get(pid);
    machine.alive.delete(pid);
    expect((await lookAt(machine, table)).mine).toEqual([]);
    if (born !== undefined) machine.alive.set(pid, born);
    machine.now = 5_000;
    expect((await lookAt(machine, table)).mine).toEqual([pid]);
    const nobody = machine.begin(160);
    machine.alive.delete(nobody);
    expect((await lookAt(machine, table)).looked).toEqual([nobody, pid]);
    machine.now = 5_101;
    expect((await lookAt(machine, table)).looked).toEqual([nobody, pid]);
    expect((await lookAt(machine, table)).looked).toEqual([pid]);
  });

  it('the table notices exited processes', async () => {
    const { machine, table } = await machineWith(10);
    const pid = machine.begin(150, { parent: 7 });
    expect((await lookAt(machine, table)).mine).toEqual([pid]);
    machine.alive.delete(pid);
    expect(await lookAt(machine, table)).toMatchObject({ mine: [], undecided: false });
  });

  it('the table misses no child of a process that exits during a scan', async () => {
    const { machine, table } = await machineWith(10);
    machine.begin(150, { parent: 7 });
    let generations = 8;
    machine.meanwhile = (pid) => {
      if (generations === 0 || machine.alive.get(pid)?.parent !== 7) return;
      generations -= 1;
      machine.begin(150, { parent: 7 });
      machine.alive.delete(pid);
    };
    const { mine, undecided } = await lookAt(machine, table);
    expect([mine, undecided]).toEqual([[machine.latest], false]);
  });

  it('the table is undecided while new processes keep appearing', async () => {
    const { machine, table } = await machineWith(10);
    machine.begin(150);
    machine.meanwhile = (pid) => {
      machine.alive.delete(pid);
      machine.begin(150);
    };
    expect((await lookAt(machine, table)).undecided).toBe(true);
  });

  it('a slow scan is undecided after a quarter of a second, while new processes keep appearing', async () => {
    const { machine, table } = await machineWith(3);
    let reads = 0;
    machine.meanwhile = () => {
      reads += 1;
      machine.now += 100;
      machine.begin(100);
    };
    machine.begin(100);
    expect((await lookAt(machine, table)).undecided).toBe(true);
    expect(reads).toBeLessThan(10);
  });

  it('the table takes no thread for a process', async () => {
    const { machine, table } = await machineWith(10);
    machine.begin(150, { parent: 7, isThread: true });
    expect((await lookAt(machine, table)).mine).toEqual([]);
  });

  it('the table notices a reused pid', async () => {
    const { machine, table } = await machineWith(10);
    machine.alive.delete(105);
    machine.latest = 104;
    expect(machine.begin(150, { parent: 7 })).toBe(105);
    expect((await lookAt(machine, table)).mine).toEqual([105]);
  });

  it.each([
    ['when it may have come round to the same pids', { now: 5_000, begun: 30_000 }],
    ['now and then all the same', { now: 10_001, begun: 0 }],
  ])('the table lists all processes %s', async (_, { now, begun }) => {
    const { machine, table } = await machineWith(2_000);
    // Only then what was begun is on record.
    machine.now = 300;
    await lookAt(machine, table);
    machine.listings = 0;
    machine.now = now;
    machine.begun += begun;
    machine.alive.delete(150);
    machine.latest = 149;
    machine.begin(150, { parent: 7 });
    expect((await lookAt(machine, table)).mine).toEqual([150]);
    expect(machine.listings).toBeGreaterThan(0);
  });
});
