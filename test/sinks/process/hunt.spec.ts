import { defer, NEVER, of, throwError, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { hunt } from '../../../src/sinks/process/kill-tree.ts';
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

/** Hunts; who was stopped and who was killed, blow by blow. */
const struckBy = (table: Census): { hunt$: Observable<never>; struck: string[] } => {
  const struck: string[] = [];
  const blow =
    (name: string) =>
    (targets: readonly ProcessRef[]): void =>
      void struck.push(`${name} ${targets.map(({ pid }) => pid).join(' ')}`);
  return { hunt$: hunt(table, quarry, { freeze: blow('stop'), kill: blow('kill') }), struck };
};

describe('killing a tree', () => {
  it('killing a tree starts when a scan finds no new process, and ends after two such scans', () => {
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
      expect(struck).toEqual(['stop 0', 'stop 1', 'kill 0 1', 'stop 2', 'kill 2']);
    });
  });

  it('killing a tree that is cancelled leaves no process stopped', () => {
    rxTest((rx) => {
      const { hunt$, struck } = struckBy(census(rx.cold('--(a|)', { a: [nobody(0), nobody(1)] }), NEVER));
      rx.expectObservable(hunt$, '-----!').toBe('-');
      rx.flush();
      expect(struck).toEqual(['stop 0', 'stop 1', 'kill 0 1']);
    });
  });

  it('an unreadable process table does not count as an empty one', () => {
    rxTest((rx) => {
      const blind$ = throwError(() => new Error('EMFILE'));
      const table = census(blind$, rx.cold('-(a|)', { a: [] }), blind$, rx.cold('-(a|)', { a: [] }));
      rx.expectObservable(struckBy(table).hunt$).toBe('50ms - 50ms --|');
    });
  });

  it('killing a tree is given up after a hundred rounds', () => {
    rxTest((rx) => {
      let born = 0;
      const endless$ = defer(() => of([nobody((born += 1))]));
      const { hunt$, struck } = struckBy(census(endless$));
      rx.expectObservable(hunt$).toBe('|');
      rx.flush();
      expect(struck).toHaveLength(102);
      expect(struck.at(-1)).toMatch(/^kill 0 1 2 .* 99 100$/);
    });
  });

  it('killing a tree is given up after two seconds, with the round under way', () => {
    rxTest((rx) => {
      let born = 0;
      const slow$ = defer(() => rx.cold('600ms (a|)', { a: [nobody((born += 1))] }));
      const { hunt$, struck } = struckBy(census(slow$));
      rx.expectObservable(hunt$).toBe('2400ms |');
      rx.flush();
      expect(struck).toEqual(['stop 0', 'stop 1', 'stop 2', 'stop 3', 'stop 4', 'kill 0 1 2 3 4']);
    });
  });
});
