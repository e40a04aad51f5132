import { defer, NEVER, of, throwError, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { hunt } from '../../../src/sinks/process/hunt.ts';
import type { Census } from '../../../src/streams/domain/ports.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import { rxTest } from '../../support/rx-test.ts';
import { RUN, sh, specOf } from '../../fixtures/processes/world.ts';

const nobody = (pid: number): ProcessRef => ({ pid, startTicks: 1 });
const quarry = { service: specOf(sh('')).id, run: RUN, leader: nobody(0), targets: [nobody(0)] };

/** Answers in turn, the last answer for ever. */
const census = (...answers: readonly Observable<readonly ProcessRef[]>[]): Census => {
  let asked = 0;
  const table: Census = {
    membersOf() {
      return defer(() => {
        asked += 1;
        return answers[Math.min(asked, answers.length) - 1] ?? NEVER;
      });
    },
  };
  return table;
};

/** Hunts; who was struck, strike by strike. */
const struckBy = (table: Census): { hunt$: Observable<never>; struck: number[][] } => {
  const struck: number[][] = [];
  const strike = (targets: readonly ProcessRef[]): void => {
    if (targets.length > 0) struck.push(targets.map(({ pid }) => pid));
  };
  return { hunt$: hunt(table, quarry, strike), struck };
};

describe('a hunt', () => {
  it('strikes newcomers once, and ends when two looks in a row find nobody new', () => {
    const seen = {
      a: [nobody(0), nobody(1)],
      b: [nobody(1)],
      c: [nobody(1), nobody(2)],
      d: [nobody(2)],
      e: [],
    };
    rxTest((rx) => {
      const { hunt$, struck } = struckBy(
        census(...['a', 'b', 'c', 'd', 'e'].map((look) => rx.cold(`--(${look}|)`, seen))),
      );
      rx.expectObservable(hunt$).toBe('----------|');
      rx.flush();
      expect(struck).toEqual([[0], [1], [2]]);
    });
  });

  it('does not take a table that cannot be read for an empty one', () => {
    rxTest((rx) => {
      const blind$ = throwError(() => new Error('EMFILE'));
      const table = census(blind$, rx.cold('-(a|)', { a: [] }), blind$, rx.cold('-(a|)', { a: [] }));
      rx.expectObservable(struckBy(table).hunt$).toBe('50ms - 50ms --|');
    });
  });

  it('is given up after a hundred rounds', () => {
    rxTest((rx) => {
      let born = 0;
      const endless$ = defer(() => of([nobody((born += 1))]));
      const { hunt$, struck } = struckBy(census(endless$));
      rx.expectObservable(hunt$).toBe('|');
      rx.flush();
      expect(struck).toHaveLength(101);
    });
  });

  it('is given up after two seconds, with the round that was begun', () => {
    rxTest((rx) => {
      let born = 0;
      const slow$ = defer(() => rx.cold('600ms (a|)', { a: [nobody((born += 1))] }));
      const { hunt$, struck } = struckBy(census(slow$));
      rx.expectObservable(hunt$).toBe('2400ms |');
      rx.flush();
      expect(struck).toEqual([[0], [1], [2], [3], [4]]);
    });
  });
});
