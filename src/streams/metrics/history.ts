// The samples of one service in a fixed amount of memory. If the retention time holds more samples than there
// is room for, three tiers share the room. The first third holds the newest samples unmerged; the others hold
// increasingly merged buckets (`docs/metrics.md`, "What is kept"). Only samples older than the retention time
// are dropped.
import type { Instant } from '../domain/time.ts';
import { mergeBuckets, type Bucket } from './bucket.ts';
import { Ring } from './ring.ts';

interface Tier {
  readonly ring: Ring;
  /** The maximum of samples per bucket. */
  readonly samples: number;
}

/** The samples of one service in a fixed amount of memory. */
export interface History {
  /** The maximum of buckets. */
  readonly capacity: number;
  /** Returns the number of buckets that fit into the memory allocated so far. */
  room(): number;
  add(bucket: Bucket): void;
  /** Drops buckets that ended before this instant. */
  forget(before: Instant): void;
  /** Returns all buckets, oldest first. */
  buckets(): readonly Bucket[];
}

const TIERS = 3;

/** Returns how many samples to merge, so that three thirds hold `wanted`: 1 + f + f² times a third. */
const factorFor = (third: number, wanted: number): number =>
  Math.max(2, Math.ceil((Math.sqrt(4 * (wanted / third) - 3) - 1) / 2));

const tiersFor = (room: number, wanted: number): readonly Tier[] => {
  if (room >= wanted) return [{ ring: new Ring(wanted), samples: 1 }];
  const third = Math.floor(room / TIERS);
  if (third === 0) return [{ ring: new Ring(room), samples: 1 }];
  const factor = factorFor(third, wanted);
  return Array.from({ length: TIERS }, (_, tier) => ({ ring: new Ring(third), samples: factor ** tier }));
};

/** Merges the bucket into the newest one if that has room for its samples; returns false otherwise. */
const joined = ({ ring, samples }: Tier, bucket: Bucket): boolean => {
  if (samples === 1) return false;
  const newest = ring.at(ring.length - 1);
  if (newest === undefined || newest.rss.count + bucket.rss.count > samples) return false;
  ring.replaceNewest(mergeBuckets(newest, bucket));
  return true;
};

/** Returns an empty history; `room` and `wanted` are numbers of buckets, both at least 1. */
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
