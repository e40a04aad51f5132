import { asyncScheduler, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { QUIET, resting } from '../../../src/streams/operators/resting.ts';
import { rxTest } from '../../support/rx-test.ts';

/** So long nothing happens before the nursery is looked at, and so seldom is it where something always does: ms. */
const [CALM, SELDOM] = [6_000, 60_000];
/** As much as is worth a pause, in bytes. */
const WORTH = 4 * 1024 * 1024;

interface Played {
  /** A letter for each step, at which so much is taken. */
  readonly steps: string;
  readonly takes: Readonly<Record<string, number>>;
}

/** When memory was given back, in ms. */
const played = ({ steps, takes }: Played): readonly number[] => {
  const at: number[] = [];
  rxTest((rx) => {
    let taken = 3 * WORTH;
    const work$ = rx.cold(steps, takes);
    const memory = {
      taken: () => taken,
      giveBack: () => {
        at.push(asyncScheduler.now());
        taken = 3 * WORTH;
      },
      nursery: () => 0,
      collect: () => undefined,
    };
    const worked$ = work$.pipe(tap((more) => (taken += more)));
    rx.expectObservable(resting(worked$, memory)).toBe('20s |');
  });
  return at;
};

describe('resting', () => {
  it('gives back what the start has taken, when that is over', () => {
    expect(played({ steps: 'aaa 19997ms |', takes: { a: 0 } })).toEqual([2 + QUIET]);
  });

  it('gives back once after a burst, and not while it lasts', () => {
    const steps = 'a 4999ms b 999ms b 999ms b 999ms b 11999ms |';
    expect(played({ steps, takes: { a: 0, b: WORTH / 2 } })).toEqual([QUIET, 8_000 + QUIET]);
  });

  it('leaves it at that where little was taken, until that is much', () => {
    const steps = 'a 4999ms a 4999ms b 4999ms b 4999ms |';
    expect(played({ steps, takes: { a: 0, b: WORTH / 2 } })).toEqual([QUIET, 15_000 + QUIET]);
  });

  it('counts from the next burst on: what was given back is gone a moment later only', () => {
    const steps = 'a 4999ms b 4999ms c 9999ms |';
    const takes = { a: 0, b: -WORTH, c: WORTH };
    expect(played({ steps, takes })).toEqual([QUIET, 10_000 + QUIET]);
  });
});

/** When everything was collected for the nursery's sake, in ms. It has grown by each letter, and shrinks where `isCalm`. */
const collected = (
  steps: string,
  grows: Readonly<Record<string, number>>,
  isCalm = true,
): readonly number[] => {
  const at: number[] = [];
  rxTest((rx) => {
    let nursery = 0;
    const memory = {
      taken: () => 0,
      giveBack: () => undefined,
      nursery: () => nursery,
      collect: () => {
        at.push(asyncScheduler.now());
        if (isCalm) nursery = 0;
      },
    };
    const worked$ = rx.cold(steps, grows).pipe(tap((more) => (nursery += more)));
    rx.expectObservable(resting(worked$, memory)).toBe('200s |');
  });
  return at;
};

describe('the nursery', () => {
  it('is taken back once nothing has happened for a while', () => {
    expect(collected('aab 199997ms |', { a: 0, b: WORTH })).toEqual([2 + CALM]);
  });

  it('stays where it has not grown', () => {
    expect(collected('aab 199997ms |', { a: 0, b: WORTH - 1 })).toEqual([]);
  });

  it('of one that is never calm is looked at seldom', () => {
    const ever = `b ${'1999ms a '.repeat(90)} 19999ms |`;
    expect(collected(ever, { a: 0, b: WORTH })).toEqual([SELDOM]);
  });

  it('that is needed costs a collection now and then', () => {
    const ever = `b ${'1999ms a '.repeat(90)} 19999ms |`;
    expect(collected(ever, { a: 0, b: WORTH }, false)).toEqual([SELDOM, 122_000, 184_000, 180_000 + CALM]);
  });
});
