// Decides when clients of the live view receive new numbers (CPU, memory) of services whose state did not
// change: with the first sample, then once per interval (`docs/manifest.md`, "status"). Unchanged numbers are
// not sent again. When sampling is switched off, every running service is sent once, since its numbers
// disappear.
import { defer, distinctUntilChanged, from, map, type Observable, switchMap } from 'rxjs';
import type { ServiceId } from '../domain/ids.ts';
import type { Instant, Ms } from '../domain/time.ts';
import type { Beat, Sample } from './sample.ts';
import { each } from '../operators/each.ts';

/** Samples count as due up to this time too early, ms, since scans are not exactly on time. */
const EARLY_MS = 500;

/**
 * Emits the services with new numbers, once per interval. The intervals of different subscribers are
 * independent.
 */
export function numberChanges(beat$: Observable<Beat>, interval: () => Ms): Observable<ServiceId> {
  return defer(() => {
    const moved = moving();
    const isDue = paced(interval);
    return beat$.pipe(
      map((beat) => moved(beat, isDue(beat))),
      each((services) => services),
    );
  });
}

/** Returns CPU and memory as text, with the precision in which users see them. */
const shown = ({ cpuPercent, rssBytes }: Sample): string => `${cpuPercent?.toFixed(1) ?? ''} ${rssBytes}`;

/**
 * Returns a function that receives the samples of each scan. When they are due, it returns the services whose
 * numbers changed since the last time, even if they changed back: a viewer may have read them meanwhile.
 */
const moving = (): ((beat: Beat, due: boolean) => readonly ServiceId[]) => {
  let before: ReadonlyMap<ServiceId, string> = new Map();
  const moved = new Set<ServiceId>();
  return ({ samples }, due) => {
    const now = new Map(samples.map((sample) => [sample.service, shown(sample)]));
    for (const [service, numbers] of now) if (before.get(service) !== numbers) moved.add(service);
    before = now;
    if (!due) return [];
    const told = [...moved].filter((service) => now.has(service));
    moved.clear();
    return told;
  };
};

const paced = (interval: () => Ms): ((beat: Beat) => boolean) => {
  let told: Instant | undefined;
  return ({ at }) => {
    // If the clock was set back, the interval begins again.
    if (told !== undefined && at >= told && at - told < interval() - EARLY_MS) return false;
    told = at;
    return true;
  };
};

interface NumberPorts {
  readonly beat$: Observable<Beat>;
  /** Returns the interval between two messages with new numbers. */
  readonly interval: () => Ms;
  readonly running: () => readonly ServiceId[];
}

/**
 * Emits the services whose numbers must be sent. `off$` emits true if sampling is off and false if it is on;
 * repetitions are ignored.
 */
export function numberUpdates(
  off$: Observable<boolean>,
  { beat$, interval, running }: NumberPorts,
): Observable<ServiceId> {
  return off$.pipe(
    distinctUntilChanged(),
    switchMap((isOff) => (isOff ? from(running()) : numberChanges(beat$, interval))),
  );
}
