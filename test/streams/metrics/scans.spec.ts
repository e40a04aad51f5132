import { asyncScheduler, map, type Observable, of, type SchedulerLike, tap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ms } from '../../../src/streams/domain/time.ts';
import {
  type Demand,
  loopLag,
  type OnDemandPorts,
  scansOnDemand,
} from '../../../src/streams/metrics/scans.ts';
import { rxTest } from '../../support/rx-test.ts';

const DEMANDS: Readonly<Record<string, Demand>> = {
  y: { wanted: true, interval: ms(3) },
  s: { wanted: true, interval: ms(5) },
  n: { wanted: false, interval: ms(3) },
};

class Plain implements OnDemandPorts<string, string> {
  take(): Observable<string> {
    return of('l');
  }
  compare(look$: Observable<string>): Observable<string> {
    return look$;
  }
}

/** Numbers the scans from 0. A new call of `compare` begins again. */
class Numbered extends Plain {
  override compare(look$: Observable<string>): Observable<string> {
    return look$.pipe(map((_, index) => String(index)));
  }
}

/** The virtual time, on a clock that can be set. */
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

describe('the scans of metrics', () => {
  it('scans begin at once, repeat each interval and end on request', () => {
    rxTest((rx) => {
      const demand$ = rx.hot<Demand>('-y-------n----', DEMANDS);
      rx.expectObservable(scansOnDemand(demand$, new Plain()), '^-------------!').toBe(
        '               -l--l--l------',
      );
      rx.expectSubscriptions(demand$.subscriptions).toBe('^-------------!');
    });
  });

  it('scans do nothing without a request or on the same request again', () => {
    rxTest((rx) => {
      const demand$ = rx.hot<Demand>('n--y-y-y-n-n---', DEMANDS);
      rx.expectObservable(scansOnDemand(demand$, new Plain()), '^--------------!').toBe(
        '               ---l--l--------',
      );
    });
  });

  it('scans restart with another interval and do not compare with earlier results', () => {
    rxTest((rx) => {
      const demand$ = rx.hot<Demand>('y----s--------', DEMANDS);
      rx.expectObservable(scansOnDemand(demand$, new Numbered()), '^-------------!').toBe(
        '               0--1----0----1',
      );
    });
  });

  it('scans happen once an interval while requests come and go', () => {
    rxTest((rx) => {
      const demand$ = rx.hot<Demand>('yn-ynyny-n-------y', DEMANDS);
      rx.expectObservable(scansOnDemand(demand$, new Plain()), '^------------------!').toBe(
        '               l--l---l---------l-',
      );
    });
  });

  it('a scan waits at most one interval, also if the clock was set back during a pause', () => {
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

  it('a scan is skipped if the last one took too long', () => {
    rxTest((rx) => {
      const demand$ = rx.hot<Demand>('y-------------', DEMANDS);
      rx.expectObservable(scansOnDemand(demand$, new Slow()), '^-------------!').toBe(
        '               ----l-----l---',
      );
    });
  });
});

describe('the lag of a scan', () => {
  it('the lag is unknown before the second scan', () => {
    const late = loopLag();
    late.scanned(ms(1_000), ms(100));
    expect([late.last(), late.most()]).toEqual([undefined, undefined]);
  });

  it('the lag is the delay of a scan, never negative', () => {
    const late = loopLag();
    for (const at of [0, 100, 250, 349]) late.scanned(ms(at), ms(100));
    expect([late.last(), late.most()]).toEqual([0, 50]);
  });

  it('the lag restarts after a pause and forgets old values', () => {
    const late = loopLag();
    for (const at of [0, 900]) late.scanned(ms(at), ms(100));
    late.paused();
    for (let look = 0; look <= 60; look += 1) late.scanned(ms(5_000 + look * 100), ms(100));
    expect(late.most()).toBe(0);
  });
});
