import { map, of, timer, type Observable } from 'rxjs';
import { describe, it } from 'vitest';
import { ms } from '../../../src/streams/domain/time.ts';
import { looking, type Demand } from '../../../src/streams/metrics/looking.ts';
import { rxTest } from '../../support/rx-test.ts';

const DEMANDS: Readonly<Record<string, Demand>> = {
  y: { wanted: true, interval: ms(3) },
  s: { wanted: true, interval: ms(5) },
  n: { wanted: false, interval: ms(3) },
};

const take = () => of('l');
const unchanged = { take, compare: (look$: Observable<string>) => look$ };
/** How many looks came before, as far as it can see. */
const numbered = {
  take,
  compare: (look$: Observable<string>) => look$.pipe(map((_, index) => String(index))),
};

describe('looking', () => {
  it('begins at once, goes on each interval, and ends with the wish', () => {
    rxTest(({ hot, expectObservable, expectSubscriptions }) => {
      const demand$ = hot<Demand>('-y-------n----', DEMANDS);
      expectObservable(looking(demand$, unchanged), '^-------------!').toBe('               -l--l--l------');
      expectSubscriptions(demand$.subscriptions).toBe('^-------------!');
    });
  });

  it('does nothing while nothing is wanted, or when the same is wanted again', () => {
    rxTest(({ hot, expectObservable }) => {
      const demand$ = hot<Demand>('n--y-y-y-n-n---', DEMANDS);
      expectObservable(looking(demand$, unchanged), '^--------------!').toBe(
        '               ---l--l--------',
      );
    });
  });

  it('begins anew with another interval, and compares with nothing from before', () => {
    rxTest(({ hot, expectObservable }) => {
      const demand$ = hot<Demand>('y----s--------', DEMANDS);
      expectObservable(looking(demand$, numbered), '^-------------!').toBe('               0--1-0----1---');
    });
  });

  it('leaves out a look that the last one left no time for', () => {
    rxTest(({ hot, expectObservable }) => {
      const demand$ = hot<Demand>('y-------------', DEMANDS);
      const slow = () => timer(4).pipe(map(() => 'l'));
      expectObservable(looking(demand$, { ...unchanged, take: slow }), '^-------------!').toBe(
        '               ----l-----l---',
      );
    });
  });
});
