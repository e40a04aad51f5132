// The samples of one service in a fixed amount of memory. Where the time to be kept holds more samples than there is
// room for, a third of the room has the newest as they came, the next third has several as one, the last third has
// several of those as one (`docs/metrics.md`, "What is kept"). Only what is older than the whole time is dropped.
import type { Instant } from '../domain/time.ts';
import { mergeBuckets, type Bucket } from './bucket.ts';
import { Ring } from './ring.ts';

interface Tier {
  readonly ring: Ring;
  /** Samples that one of its buckets may hold. */
  readonly samples: number;
}

export interface History {
  /** The most buckets that it may hold. */
  readonly capacity: number;
  /** Buckets that its memory has room for by now. */
  room(): number;
  add(bucket: Bucket): void;
  /** Drops what ended before that moment. */
  forget(before: Instant): void;
  /** Oldest first. */
  buckets(): readonly Bucket[];
}

const TIERS = 3;

/** How many to make one of, so that three thirds hold what is wanted: 1 + f + f² times a third. */
const factorFor = (third: number, wanted: number): number =>
  Math.max(2, Math.ceil((Math.sqrt(4 * (wanted / third) - 3) - 1) / 2));

const tiersFor = (room: number, wanted: number): readonly Tier[] => {
  if (room >= wanted) return [{ ring: new Ring(wanted), samples: 1 }];
  const third = Math.floor(room / TIERS);
  if (third === 0) return [{ ring: new Ring(room), samples: 1 }];
  const factor = factorFor(third, wanted);
  return Array.from({ length: TIERS }, (_, tier) => ({ ring: new Ring(third), samples: factor ** tier }));
};

/** Into the newest bucket while that has room for more samples. */
const joined = ({ ring, samples }: Tier, bucket: Bucket): boolean => {
  if (samples === 1) return false;
  const newest = ring.at(ring.length - 1);
  if (newest === undefined || newest.rss.count + bucket.rss.count > samples) return false;
  ring.replaceNewest(mergeBuckets(newest, bucket));
  return true;
};

/** `room` and `wanted` in buckets; both at least 1. */
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
