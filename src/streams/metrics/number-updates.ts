// When clients of the live view get new numbers (CPU, memory) of services that did not change otherwise: with
// the first sample, and then once in each interval (`docs/manifest.md`, "status"), if the numbers differ.
// When sampling is switched off, every running service is sent once more.
import { defer, distinctUntilChanged, from, map, type Observable, switchMap } from 'rxjs';
import type { ServiceId } from '../domain/ids.ts';
import type { Instant, Ms } from '../domain/time.ts';
import type { Beat, Sample } from './sample.ts';
import { each } from '../operators/each.ts';

/**
 * The tolerance of the interval, in ms. A sample that comes at most this time too early is still sent,
 * because scans are not exactly on time.
 */
const EARLY_MS = 500;

/** Emits the services with new numbers, once in each interval. Each subscriber has intervals of its own. */
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

/** Returns CPU and memory with the precision that users see. */
const shown = ({ cpuPercent, rssBytes }: Sample): string => `${cpuPercent?.toFixed(1) ?? ''} ${rssBytes}`;

/** Returns a function that finds the services with numbers that have changed since the last update. */
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
    // If the clock was set back, a new interval begins.
    if (told !== undefined && at >= told && at - told < interval() - EARLY_MS) return false;
    told = at;
    return true;
  };
};

interface NumberPorts {
  readonly beat$: Observable<Beat>;
  readonly interval: () => Ms;
  readonly running: () => readonly ServiceId[];
}

/**
 * Emits each service for which measured numbers (CPU, memory) must be sent to the clients again. `off$` emits
 * true while sampling is off.
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
