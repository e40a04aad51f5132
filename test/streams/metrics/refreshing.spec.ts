import { describe, it } from 'vitest';
import { ms } from '../../../src/streams/domain/time.ts';
import { refreshing } from '../../../src/streams/metrics/refreshing.ts';
import type { Beat } from '../../../src/streams/metrics/sample.ts';
import { rxTest } from '../../support/rx-test.ts';
import { beat, idOf } from './support.ts';

const at = (millis: number): Beat => beat(millis, ['web'], { rss: millis });
const WEB = { w: idOf('web') };

describe('refreshing', () => {
  it('tells with the first beat, then with the first after each interval', () => {
    rxTest((rx) => {
      const beats = { a: at(0), b: at(1_010), c: at(2_015), d: at(4_990), e: at(6_000), f: at(9_400) };
      const beat$ = rx.hot('a-b-c-d-e-f', beats);
      rx.expectObservable(
        refreshing(beat$, () => ms(5_000)),
        '^----------!',
      ).toBe('w-----w----', WEB);
    });
  });

  it('goes on when the clock was set back', () => {
    rxTest((rx) => {
      const beat$ = rx.hot('a-b-c', { a: at(900_000), b: at(1_000), c: at(2_000) });
      rx.expectObservable(
        refreshing(beat$, () => ms(5_000)),
        '^----!',
      ).toBe('w-w--', WEB);
    });
  });

  it('tells only whose numbers moved, even if they are back where they were', () => {
    rxTest((rx) => {
      const rss = (millis: number, web: number): Beat => ({
        ...beat(millis, ['web'], { rss: web }),
        samples: [...beat(0, ['web'], { rss: web }).samples, ...beat(0, ['db'], { rss: 7 }).samples],
      });
      const beats = { a: rss(0, 1), b: rss(5_000, 1), c: rss(6_000, 2), d: rss(10_000, 1) };
      rx.expectObservable(
        refreshing(rx.hot('a-b-c-d', beats), () => ms(5_000)),
        '^------!',
      ).toBe('(wd)--w', { ...WEB, d: idOf('db') });
    });
  });
});
