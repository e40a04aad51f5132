import { asyncScheduler, tap } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { QUIET_MS, idleCollection } from '../../../src/streams/operators/idle-collection.ts';
import { rxTest } from '../../support/rx-test.ts';

/** The smallest gain for which garbage is collected, bytes. */
const WORTH = 4 * 1024 * 1024;

interface Played {
  /** Marbles: each letter is a piece of work, which adds `takes[letter]` bytes to the memory in use. */
  readonly steps: string;
  readonly takes: Readonly<Record<string, number>>;
}

/** Returns the times of the collections, ms. */
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
      youngGenerationBytes: () => 0,
    };
    const worked$ = work$.pipe(tap((more) => (taken += more)));
    rx.expectObservable(idleCollection(worked$, memory)).toBe('20s |');
  });
  return at;
};

describe('the idle collection', () => {
  it('the idle collection frees the memory of the start after it is over', () => {
    expect(played({ steps: 'aaa 19997ms |', takes: { a: 0 } })).toEqual([2 + QUIET_MS]);
  });

  it('the idle collection runs once after a burst, not during it', () => {
    const steps = 'a 4999ms b 999ms b 999ms b 999ms b 11999ms |';
    expect(played({ steps, takes: { a: 0, b: WORTH / 2 } })).toEqual([QUIET_MS, 8_000 + QUIET_MS]);
  });

  it('the idle collection does not run while little was allocated', () => {
    const steps = 'a 4999ms a 4999ms b 4999ms b 4999ms |';
    expect(played({ steps, takes: { a: 0, b: WORTH / 2 } })).toEqual([QUIET_MS, 15_000 + QUIET_MS]);
  });

  it('the idle collection counts from the next burst on, since freed memory is returned a moment later', () => {
    const steps = 'a 4999ms b 4999ms c 9999ms |';
    const takes = { a: 0, b: -WORTH, c: WORTH };
    expect(played({ steps, takes })).toEqual([QUIET_MS, 10_000 + QUIET_MS]);
  });
});

describe('the young generation', () => {
  /**
   * Returns the times of the collections, ms. Each letter of `growth` sets the size of the young generation.
   */
  const givenBack = (growth: string, sizes: Readonly<Record<string, number>>): readonly number[] => {
    const at: number[] = [];
    rxTest((rx) => {
      let size = 0;
      const memory = {
        taken: () => 0,
        youngGenerationBytes: () => size,
        giveBack: () => {
          at.push(asyncScheduler.now());
          size = 0;
        },
      };
      const work$ = rx.cold(growth, sizes).pipe(tap((grown) => (size = grown)));
      rx.expectObservable(idleCollection(work$, memory)).toBe('200s |');
    });
    return at;
  };
  const GROWN = 8 * 1024 * 1024;

  it('a grown young generation is collected within a minute, with or without activity', () => {
    expect(givenBack('a 199999ms |', { a: GROWN })).toEqual([60_000]);
  });

  it('a small young generation is not collected', () => {
    expect(givenBack('a 199999ms |', { a: GROWN - 1 })).toEqual([]);
  });

  it('a young generation in use is collected now and then', () => {
    expect(givenBack(`${'a 999ms '.repeat(200)}|`, { a: GROWN })).toEqual([60_000, 120_000, 180_000]);
  });
});
