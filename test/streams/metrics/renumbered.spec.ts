import { describe, it } from 'vitest';
import { ms } from '../../../src/streams/domain/time.ts';
import { renumbered } from '../../../src/streams/metrics/renumbered.ts';
import type { Beat } from '../../../src/streams/metrics/sample.ts';
import { rxTest } from '../../support/rx-test.ts';
import { beat, idOf } from './support.ts';

const at = (millis: number): Beat => beat(millis, ['web'], { rss: 7 });
const BEATS = { a: at(0), b: at(1_000), c: at(2_000), d: at(3_000) };
const OFF = { f: false, t: true };
const TOLD = { w: idOf('web'), d: idOf('db') };
const running = (): readonly (typeof TOLD.w)[] => [TOLD.w, TOLD.d];

describe('who has other numbers', () => {
  it('is everybody when it is switched off, and again with the first beat when it is switched on', () => {
    rxTest((rx) => {
      const off$ = rx.hot('f-f-t-t---f-----', OFF);
      const beat$ = rx.hot('-a-b--------c-d-', BEATS);
      rx.expectObservable(
        renumbered(off$, { beat$, interval: () => ms(1_000), running }),
        '^--------------!',
      ).toBe('-w--(wd)----w--', TOLD);
    });
  });

  it('is nobody for as long as it is off', () => {
    rxTest((rx) => {
      const beat$ = rx.hot('-a-b-', BEATS);
      const ports = { beat$, interval: () => ms(1_000), running: () => [] };
      rx.expectObservable(renumbered(rx.hot('t-t-t', OFF), ports), '^----!').toBe('-----');
    });
  });
});
