import { asyncScheduler, map, type Observable, of, type SchedulerLike, tap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ms } from '../../../src/streams/domain/time.ts';
import { type Demand, loopLag, type ScanPorts, scansOnDemand } from '../../../src/streams/metrics/scans.ts';
import { rxTest } from '../../support/rx-test.ts';

const DEMANDS: Readonly<Record<string, Demand>> = {
  y: { wanted: true, interval: ms(3) },
  s: { wanted: true, interval: ms(5) },
  n: { wanted: false, interval: ms(3) },
};

class Plain implements ScanPorts<string, string> {
  take(): Observable<string> {
    return of('l');
  }
  compare(look$: Observable<string>): Observable<string> {
    return look$;
  }
}

/** How many looks came before, as far as it can see. */
class Numbered extends Plain {
  override compare(look$: Observable<string>): Observable<string> {
    return look$.pipe(map((_, index) => String(index)));
  }
}

/** The time of the story, on a clock that is set. */
class SetClock implements SchedulerLike {
  ahead = 0;
  now(): number {
    return asyncScheduler.now() + this.ahead;
  }
  readonly schedule = asyncScheduler.schedule.bind(asyncScheduler);
}

class ByClock extends Plain {
  readonly scheduler: SchedulerLike;
  constructor(scheduler: SchedulerLike) {
    super();
    this.scheduler = scheduler;
  }
}

class Slow extends Plain {
  override take(): Observable<string> {
    return timer(4).pipe(map(() => 'l'));
  }
}

describe('looking', () => {
  it('begins at once, goes on each interval, and ends with the wish', () => {
    rxTest((rx) => {
      const demand$ = rx.hot<Demand>('-y-------n----', DEMANDS);
      rx.expectObservable(scansOnDemand(demand$, new Plain()), '^-------------!').toBe(
        '               -l--l--l------',
      );
      rx.expectSubscriptions(demand$.subscriptions).toBe('^-------------!');
    });
  });

  it('does nothing while nothing is wanted, or when the same is wanted again', () => {
    rxTest((rx) => {
      const demand$ = rx.hot<Demand>('n--y-y-y-n-n---', DEMANDS);
      rx.expectObservable(scansOnDemand(demand$, new Plain()), '^--------------!').toBe(
        '               ---l--l--------',
      );
    });
  });

  it('begins anew with another interval, and compares with nothing from before', () => {
    rxTest((rx) => {
      const demand$ = rx.hot<Demand>('y----s--------', DEMANDS);
      rx.expectObservable(scansOnDemand(demand$, new Numbered()), '^-------------!').toBe(
        '               0--1----0----1',
      );
    });
  });

  it('looks once an interval where everything comes and goes', () => {
    rxTest((rx) => {
      const demand$ = rx.hot<Demand>('yn-ynyny-n-------y', DEMANDS);
      rx.expectObservable(scansOnDemand(demand$, new Plain()), '^------------------!').toBe(
        '               l--l---l---------l-',
      );
    });
  });

  it('waits no longer than an interval, also where the clock was set back while nothing was wanted', () => {
    rxTest((rx) => {
      const clock = new SetClock();
      const demand$ = rx.hot<Demand>('yny-----------', DEMANDS).pipe(
        tap(({ wanted }) => {
          clock.ahead = wanted ? clock.ahead : -3_600_000;
        }),
      );
      rx.expectObservable(scansOnDemand(demand$, new ByClock(clock)), '^-------------!').toBe(
        '               l----l--l--l--',
      );
    });
  });

  it('leaves out a look that the last one left no time for', () => {
    rxTest((rx) => {
      const demand$ = rx.hot<Demand>('y-------------', DEMANDS);
      rx.expectObservable(scansOnDemand(demand$, new Slow()), '^-------------!').toBe(
        '               ----l-----l---',
      );
    });
  });
});

describe('lateness', () => {
  it('is not known before the second look', () => {
    const late = loopLag();
    late.looked(ms(1_000), ms(100));
    expect([late.last(), late.most()]).toEqual([undefined, undefined]);
  });

  it('is what a look came after its time, never negative', () => {
    const late = loopLag();
    for (const at of [0, 100, 250, 349]) late.looked(ms(at), ms(100));
    expect([late.last(), late.most()]).toEqual([0, 50]);
  });

  it('has no look to compare with after a pause, and forgets what is long past', () => {
    const late = loopLag();
    for (const at of [0, 900]) late.looked(ms(at), ms(100));
    late.paused();
    for (let look = 0; look <= 60; look += 1) late.looked(ms(5_000 + look * 100), ms(100));
    expect(late.most()).toBe(0);
  });
});
