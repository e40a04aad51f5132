// When viewers are told the numbers of services that have not changed beside: with the first beat, then with the first
// after each interval (`docs/manifest.md`, "status"). Numbers that are what they were are not told again.
import { defer, map, type Observable } from 'rxjs';
import type { ServiceId } from '../domain/ids.ts';
import type { Instant, Ms } from '../domain/time.ts';
import { each } from '../operators/each.ts';
import type { Beat, Sample } from './sample.ts';

/** Beats come each second at the best, and a little late. */
const EARLY_MS = 500;

/** Whose numbers are others. Each subscriber has a pace of his own. */
export function refreshing(beat$: Observable<Beat>, interval: () => Ms): Observable<ServiceId> {
  return defer(() => {
    const moved = moving();
    const isDue = paced(interval);
    return beat$.pipe(
      map((beat) => moved(beat, isDue(beat))),
      each((services) => services),
    );
  });
}

/** As they are shown. */
const shown = ({ cpuPercent, rssBytes }: Sample): string => `${cpuPercent?.toFixed(1) ?? ''} ${rssBytes}`;

/** Who moved since the last time it was due, even if he is back where he was: somebody may have looked in between. */
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
    // A clock that was set back begins anew.
    if (told !== undefined && at >= told && at - told < interval() - EARLY_MS) return false;
    told = at;
    return true;
  };
};
