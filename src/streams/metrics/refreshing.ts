// When viewers are told the numbers of services that have not changed beside: with the first beat, then with the first
// after each interval (`docs/manifest.md`, "status").
import { defer, filter, type Observable } from 'rxjs';
import type { ServiceId } from '../domain/ids.ts';
import type { Instant, Ms } from '../domain/time.ts';
import { each } from '../operators/each.ts';
import type { Beat } from './sample.ts';

/** Beats come each second at the best, and a little late. */
const EARLY_MS = 500;

/** Everybody who was sampled. Each subscriber has a pace of his own. */
export function refreshing(beat$: Observable<Beat>, interval: () => Ms): Observable<ServiceId> {
  return defer(() =>
    beat$.pipe(
      filter(paced(interval)),
      each(({ samples }) => samples.map(({ service }) => service)),
    ),
  );
}

const paced = (interval: () => Ms): ((beat: Beat) => boolean) => {
  let told: Instant | undefined;
  return ({ at }) => {
    // A clock that was set back begins anew.
    if (told !== undefined && at >= told && at - told < interval() - EARLY_MS) return false;
    told = at;
    return true;
  };
};
