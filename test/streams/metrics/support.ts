import { runId, serviceId, projectId, type ServiceId } from '../../../src/streams/domain/ids.ts';
import { instant, ms } from '../../../src/streams/domain/time.ts';
import type { Beat, Counted, ProcessTree, TreeScan } from '../../../src/streams/metrics/sample.ts';

export const idOf = (name: string): ServiceId => serviceId(projectId('shop'), name);
export const RUN = runId(1);

export const counted = (pid: number, more: Partial<Counted> = {}): Counted => ({
  pid,
  startTicks: pid,
  parent: 1,
  began: ms(0),
  own: ms(0),
  collected: ms(0),
  rssBytes: 0,
  ...more,
});

export const tree = (...members: readonly Counted[]): ProcessTree => ({
  leader: { pid: members[0]?.pid ?? 0, startTicks: members[0]?.startTicks ?? 0 },
  members,
});

/** All three clocks at the same millisecond. */
export const look = (at: number, trees: Readonly<Record<string, ProcessTree>>): TreeScan => ({
  at: instant(at),
  steady: ms(at),
  machine: ms(at),
  trees: new Map(Object.entries(trees).map(([name, each]) => [idOf(name), each])),
});

/** A beat in which each service has the same use. */
export const beat = (
  at: number,
  names: readonly string[],
  used: { readonly cpu?: number; readonly rss: number },
): Beat => ({
  at: instant(at),
  samples: names.map((name) => ({
    service: idOf(name),
    leader: { pid: 1, startTicks: 1 },
    ...(used.cpu !== undefined && { cpuPercent: used.cpu }),
    rssBytes: used.rss,
    members: [],
  })),
});
