// The samples of all services under one memory cap, in equal shares. When a service joins, the shares are
// recomputed; the samples move over and are merged if there is less room.
import type { ServiceId } from '../domain/ids.ts';
import type { MetricsSpec } from '../domain/declared/manifest.ts';
import { instant, type Instant } from '../domain/time.ts';
import { bucketOf, type Bucket } from './bucket.ts';
import { historyOf, type History } from './history.ts';
import { BUCKET_BYTES } from './ring.ts';
import type { Beat } from './sample.ts';

export type Limits = Pick<MetricsSpec, 'retentionMinutes' | 'sampleIntervalSecs' | 'maxMemoryBytes'>;

export interface SampleMemory {
  /** Adds the samples of one moment. */
  add(beat: Beat): void;
  /** Applies new limits from now on. */
  limit(limits: Limits): void;
  /** Drops all samples of a removed service. */
  drop(service: ServiceId): void;
  /** Returns the buckets that ended at or after `moment`, oldest first. */
  since(service: ServiceId, moment: Instant): readonly Bucket[];
  /** Returns the memory allocated for samples, bytes. */
  bytes(): number;
}

interface Share {
  /** In buckets; 0 if the cap is too small for all services. */
  readonly room: number;
  readonly wanted: number;
}

/** One share more than services: during a move a service has two. */
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

/**
 * Returns an empty memory with these limits. When services join, the room is divided again and the oldest
 * samples are merged.
 */
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
