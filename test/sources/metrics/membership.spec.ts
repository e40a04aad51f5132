import { describe, expect, it } from 'vitest';
import type { ProcStat } from '../../../src/os/proc/process-stat.ts';
import { membership, type Membership } from '../../../src/sources/metrics/membership.ts';
import type { SampledRun } from '../../../src/streams/metrics/sampled-runs.ts';
import { idOf } from '../../support/spec.ts';

const SELF = 4;

interface Facts {
  readonly parent?: number;
  readonly session?: number;
  readonly startTicks?: number;
  readonly mark?: string;
}

const machine = () => {
  const alive = new Map<number, ProcStat & { readonly mark?: string }>();
  const asked: number[] = [];
  let begun = 0;
  const begin = (pid: number, { parent = 1, session = pid, startTicks = pid, mark }: Facts = {}): void => {
    begun += 1;
    const stat = { pid, parent, session, group: session, startTicks, zombie: false, environmentAt: '1' };
    alive.set(pid, { ...stat, ...(mark !== undefined && { mark }) });
  };
  const members = membership({
    pids: () => [...alive.keys()],
    newest: () => begun,
    stat: (pid) => {
      asked.push(pid);
      return alive.get(pid);
    },
    marks: { markOf: ({ pid }) => alive.get(pid)?.mark, retain: () => undefined },
    foster: () => new Set([1, SELF]),
    self: SELF,
  });
  return { begin, end: (pid: number) => alive.delete(pid), members, asked };
};

const run = (name: string, pid: number, number = 1): SampledRun => ({
  service: idOf(name),
  leader: { pid, startTicks: pid },
  mark: `${idOf(name)}#${number}`,
});

const whose = (members: Membership, runs: readonly SampledRun[]) =>
  Object.fromEntries(
    [...members.scan(runs)].map(
      ([
        pid,
        {
          run: { mark },
        },
      ]) => [pid, mark],
    ),
  );

describe('membership in a tree', () => {
  const web = run('web', 10);
  const db = run('db', 20);
  const both = [web, db];

  it('a process belongs to a tree by descent, session or mark', () => {
    const { begin, members } = machine();
    begin(SELF);
    begin(10, { parent: SELF });
    begin(13, { parent: 12, session: 99 });
    begin(12, { parent: 10, session: 98 });
    begin(14, { session: 10 });
    begin(15, { mark: web.mark });
    begin(16, { parent: 15, session: 97 });
    begin(20, { parent: SELF });
    begin(21, { parent: 20 });
    begin(30);
    expect(whose(members, both)).toEqual({
      10: web.mark,
      12: web.mark,
      13: web.mark,
      14: web.mark,
      15: web.mark,
      16: web.mark,
      20: db.mark,
      21: db.mark,
    });
  });

  it('membership is kept when the parent is gone, and determined once', () => {
    const { begin, end, members, asked } = machine();
    for (const pid of [10, 30, 31]) begin(pid);
    begin(11, { parent: 10 });
    whose(members, both);
    asked.length = 0;
    begin(12, { parent: 11 });
    end(11);
    members.leave(11);
    expect(whose(members, both)).toMatchObject({ 10: web.mark });
    expect(asked).toEqual([12]);
    expect(whose(members, both)).toBeDefined();
    expect(asked).toEqual([12]);
  });

  it('no process is read while no new one has started', () => {
    const { begin, members, asked } = machine();
    for (const pid of [10, 30]) begin(pid);
    whose(members, both);
    asked.length = 0;
    whose(members, both);
    expect(asked).toEqual([]);
  });

  it('processes older than a new run are not read again', () => {
    const { begin, members, asked } = machine();
    for (const pid of [5, 10, 30]) begin(pid);
    whose(members, [web]);
    asked.length = 0;
    begin(20);
    begin(21, { parent: 20 });
    expect(whose(members, both)).toEqual({ 10: web.mark, 20: db.mark, 21: db.mark });
    expect(asked).toEqual([30, 20, 21]);
  });

  it('a process joins a tree once its run is known', () => {
    const { begin, members } = machine();
    begin(10);
    begin(11, { parent: 10 });
    expect(whose(members, [db])).toEqual({});
    expect(whose(members, both)).toEqual({ 10: web.mark, 11: web.mark });
  });

  it('membership ends with the run', () => {
    const { begin, members } = machine();
    begin(10);
    whose(members, both);
    expect(whose(members, [db])).toEqual({});
  });

  it('neither the supervisor nor a process older than the leader belongs to a tree', () => {
    const { begin, members } = machine();
    begin(SELF, { mark: web.mark, startTicks: 50 });
    begin(10);
    begin(11, { mark: web.mark, startTicks: 9 });
    begin(12, { parent: SELF });
    expect(whose(members, both)).toEqual({ 10: web.mark });
  });
});
