// Turns process scans into samples: each scan is compared with the previous one.
import { map, scan, type Observable } from 'rxjs';
import type { ServiceId } from '../domain/ids.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import { instant, ms, type Instant, type Ms } from '../domain/time.ts';
import { cpuBetween, rssOf, type Counted } from './tree-usage.ts';

export interface Tree {
  /** The leader of the service's own run if it is alive, otherwise of the other run. */
  readonly leader: ProcessRef;
  readonly members: readonly Counted[];
}

/** One scan of all trees, with three clocks: wall clock, monotonic clock, and the clock of start times. */
export interface Look {
  readonly at: Instant;
  readonly steady: Ms;
  readonly machine: Ms;
  readonly trees: ReadonlyMap<ServiceId, Tree>;
}

export interface Sample {
  readonly service: ServiceId;
  readonly leader: ProcessRef;
  /** Percent of one core: 250 is two and a half cores. Absent for the first scan. */
  readonly cpuPercent?: number;
  readonly rssBytes: number;
  readonly members: readonly Counted[];
}

/** All samples of one scan. */
export interface Beat {
  readonly at: Instant;
  readonly samples: readonly Sample[];
}

const percent = (used: Ms, since: Ms): number => (since > 0 ? (100 * used) / since : 0);

const sampleOf = (
  [service, tree]: readonly [ServiceId, Tree],
  now: Look,
  before: Look | undefined,
): Sample => {
  const { leader, members } = tree;
  const known = { service, leader, members, rssBytes: rssOf(members) };
  if (before === undefined) return known;
  const used = cpuBetween(before.trees.get(service)?.members ?? [], before.machine, members);
  return { ...known, cpuPercent: percent(used, ms(now.steady - before.steady)) };
};

interface Counting {
  readonly looked?: Look;
  readonly beat: Beat;
}

const beatOf = (now: Look, before: Look | undefined): Beat => ({
  at: now.at,
  samples: [...now.trees].map((entry) => sampleOf(entry, now, before)),
});

const START: Counting = { beat: { at: instant(0), samples: [] } };

/** Emits one beat for each scan, at once. */
export function beatsOf(look$: Observable<Look>): Observable<Beat> {
  return look$.pipe(
    scan((last, now): Counting => ({ looked: now, beat: beatOf(now, last.looked) }), START),
    map(({ beat }) => beat),
  );
}
