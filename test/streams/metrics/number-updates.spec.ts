import { describe, it } from 'vitest';
import { ms } from '../../../src/streams/domain/time.ts';
import { numberChanges, numberUpdates } from '../../../src/streams/metrics/number-updates.ts';
import type { Beat } from '../../../src/streams/metrics/sample.ts';
import { beat, idOf } from './support.ts';
import { rxTest } from '../../support/rx-test.ts';

const at = (millis: number): Beat => beat(millis, ['web'], { rss: millis });
const WEB = { w: idOf('web') };

describe('the refresh of numbers', () => {
  it('a refresh happens with the first beat, then with the first after each interval', () => {
    rxTest((rx) => {
      const beats = { a: at(0), b: at(1_010), c: at(2_015), d: at(4_990), e: at(6_000), f: at(9_400) };
      const beat$ = rx.hot('a-b-c-d-e-f', beats);
      rx.expectObservable(
        numberChanges(beat$, () => ms(5_000)),
        '^----------!',
      ).toBe('w-----w----', WEB);
    });
  });

  it('a refresh continues after the clock was set back', () => {
    rxTest((rx) => {
      const beat$ = rx.hot('a-b-c', { a: at(900_000), b: at(1_000), c: at(2_000) });
      rx.expectObservable(
        numberChanges(beat$, () => ms(5_000)),
        '^----!',
      ).toBe('w-w--', WEB);
    });
  });

  it('a refresh includes only services whose numbers changed, even if they changed back', () => {
    rxTest((rx) => {
      const rss = (millis: number, web: number): Beat => ({
        ...beat(millis, ['web'], { rss: web }),
        samples: [...beat(0, ['web'], { rss: web }).samples, ...beat(0, ['db'], { rss: 7 }).samples],
      });
      const beats = { a: rss(0, 1), b: rss(5_000, 1), c: rss(6_000, 2), d: rss(10_000, 1) };
      rx.expectObservable(
        numberChanges(rx.hot('a-b-c-d', beats), () => ms(5_000)),
        '^------!',
      ).toBe('(wd)--w', { ...WEB, d: idOf('db') });
    });
  });
});

const steady = (millis: number): Beat => beat(millis, ['web'], { rss: 7 });
const BEATS = { a: steady(0), b: steady(1_000), c: steady(2_000), d: steady(3_000) };
const OFF = { f: false, t: true };
const TOLD = { w: idOf('web'), d: idOf('db') };
const running = (): readonly (typeof TOLD.w)[] => [TOLD.w, TOLD.d];

describe('services with new numbers', () => {
  it('each service has new numbers when refresh is switched off, and with the first beat after it is on', () => {
    rxTest((rx) => {
      const off$ = rx.hot('f-f-t-t---f-----', OFF);
      const beat$ = rx.hot('-a-b--------c-d-', BEATS);
      rx.expectObservable(
        numberUpdates(off$, { beat$, interval: () => ms(1_000), running }),
        '^--------------!',
      ).toBe('-w--(wd)----w--', TOLD);
    });
  });

  it('no service has new numbers while refresh is off', () => {
    rxTest((rx) => {
      const beat$ = rx.hot('-a-b-', BEATS);
      const ports = { beat$, interval: () => ms(1_000), running: () => [] };
      rx.expectObservable(numberUpdates(rx.hot('t-t-t', OFF), ports), '^----!').toBe('-----');
    });
  });
});
