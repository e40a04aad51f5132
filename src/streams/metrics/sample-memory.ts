// The samples of all services, in equal shares of one memory limit. When a service is added, the shares of
// all services get smaller, and their oldest samples are merged.
//
// If a share is too small for the retention time, it has three tiers: the first has the newest samples
// unmerged, and each further tier has larger merged buckets (`docs/metrics.md`, "What is kept"). Only samples
// older than the retention time are dropped.
import type { MetricsSpec } from '../domain/declared/manifest.ts';
import type { ServiceId } from '../domain/ids.ts';
import { instant, type Instant } from '../domain/time.ts';
import { type Bucket, bucketOf, mergeBuckets } from './bucket.ts';
import { BUCKET_BYTES, Ring } from './ring.ts';
import type { Beat } from './sample.ts';

interface Tier {
  readonly ring: Ring;
  /** The maximum number of samples that a bucket of this tier combines. */
  readonly samples: number;
}

/** The samples of one service, in a limited amount of memory. */
interface History {
  /**
   * The maximum number of buckets. At this number, older buckets are merged or dropped before a new one is
   * added.
   */
  readonly capacity: number;
  /** Returns the number of buckets that fit into the allocated memory. */
  room(): number;
  add(bucket: Bucket): void;
  /** Removes the buckets that ended before `before`. */
  forget(before: Instant): void;
  /** Returns all buckets, oldest first. */
  buckets(): readonly Bucket[];
}

const TIERS = 3;

/**
 * Returns the factor f: a bucket of a tier has f times as many samples as a bucket of the previous tier. With
 * f, three tiers of `third` buckets have room for at least `wanted` samples: (1+f+f²) · third ≥ wanted.
 */
const factorFor = (third: number, wanted: number): number =>
  Math.max(2, Math.ceil((Math.sqrt(4 * (wanted / third) - 3) - 1) / 2));

const tiersFor = (room: number, wanted: number): readonly Tier[] => {
  if (room >= wanted) return [{ ring: new Ring(wanted), samples: 1 }];
  const third = Math.floor(room / TIERS);
  if (third === 0) return [{ ring: new Ring(room), samples: 1 }];
  const factor = factorFor(third, wanted);
  return Array.from({ length: TIERS }, (_, tier) => ({ ring: new Ring(third), samples: factor ** tier }));
};

/**
 * Merges the bucket into the tier's newest bucket; returns false if the result would have too many samples.
 */
const joined = ({ ring, samples }: Tier, bucket: Bucket): boolean => {
  if (samples === 1) return false;
  const newest = ring.at(ring.length - 1);
  if (newest === undefined || newest.rss.count + bucket.rss.count > samples) return false;
  ring.replaceNewest(mergeBuckets(newest, bucket));
  return true;
};

/** Returns an empty history for `room` buckets. `wanted`: the number of samples in the retention time. */
export const historyOf = (room: number, wanted: number): History => {
  const tiers = tiersFor(room, wanted);
  const push = (bucket: Bucket, index: number): void => {
    const tier = tiers[index];
    if (tier === undefined || joined(tier, bucket)) return;
    const oldest = tier.ring.length === tier.ring.capacity ? tier.ring.shift() : undefined;
    if (oldest !== undefined) push(oldest, index + 1);
    tier.ring.push(bucket);
  };
  return {
    capacity: tiers.reduce((all, { ring }) => all + ring.capacity, 0),
    room: () => tiers.reduce((all, { ring }) => all + ring.room, 0),
    add: (bucket) => push(bucket, 0),
    forget: (before) => {
      for (const { ring } of tiers) while ((ring.oldestEnd ?? before) < before) ring.shift();
    },
    buckets: () =>
      tiers
        .toReversed()
        .flatMap(({ ring }) => Array.from({ length: ring.length }, (_, at) => ring.at(at)))
        .filter((bucket) => bucket !== undefined),
  };
};

export type Limits = Pick<MetricsSpec, 'retentionMinutes' | 'sampleIntervalSecs' | 'maxMemoryBytes'>;

export interface SampleMemory {
  /** Adds the samples of one process scan. */
  add(beat: Beat): void;
  /** Applies new limits for memory and retention time. */
  limit(limits: Limits): void;
  /** Drops the samples of a removed service. */
  drop(service: ServiceId): void;
  /** Returns the buckets of the service that ended at `moment` or later, oldest first. */
  since(service: ServiceId, moment: Instant): readonly Bucket[];
  /** Returns the memory that is allocated for samples, in bytes. */
  bytes(): number;
}

interface Share {
  /** The number of buckets for each service. It is 0 if the memory limit is too small. */
  readonly room: number;
  readonly wanted: number;
}

/**
 * Returns the share of each service. One more share stays free: while the samples of a service are copied,
 * they exist twice.
 */
const shareFor = (services: number, limits: Limits): Share => ({
  room: Math.floor(limits.maxMemoryBytes / (services + 1) / BUCKET_BYTES),
  wanted: Math.ceil((limits.retentionMinutes * 60) / limits.sampleIntervalSecs),
});

const sameShare = (a: Share, b: Share): boolean =>
  Math.min(a.room, a.wanted) === Math.min(b.room, b.wanted) && a.wanted === b.wanted;

const movedInto = ({ room, wanted }: Share, old: History | undefined): History => {
  const history = historyOf(room, wanted);
  old?.buckets().forEach((bucket) => history.add(bucket));
  return history;
};

/** Returns an empty store of samples with these limits. */
export const sampleMemory = (initial: Limits): SampleMemory => {
  let limits = initial;
  let share = shareFor(0, limits);
  const histories = new Map<ServiceId, History>();
  const isPossible = (): boolean => share.room > 0 && share.wanted > 0;
  const cut = (services: number): void => {
    const next = shareFor(services, limits);
    const same = sameShare(share, next);
    share = next;
    if (same) return;
    if (!isPossible()) return histories.clear();
    for (const [id, old] of histories) histories.set(id, movedInto(share, old));
  };
  const admit = (ids: readonly ServiceId[]): void => {
    const strangers = ids.filter((id) => !histories.has(id));
    if (strangers.length === 0) return;
    cut(histories.size + strangers.length);
    if (isPossible()) strangers.forEach((id) => histories.set(id, movedInto(share, undefined)));
  };
  return {
    add: (beat) => {
      admit(beat.samples.map(({ service }) => service));
      const oldest = instant(beat.at - limits.retentionMinutes * 60_000);
      for (const sample of beat.samples) {
        const history = histories.get(sample.service);
        history?.forget(oldest);
        history?.add(bucketOf(beat, sample));
      }
    },
    limit: (given) => {
      limits = given;
      cut(histories.size);
    },
    drop: (service) => void histories.delete(service),
    since: (service, moment) => (histories.get(service)?.buckets() ?? []).filter(({ to }) => to >= moment),
    bytes: () => [...histories.values()].reduce((all, history) => all + history.room() * BUCKET_BYTES, 0),
  };
};
