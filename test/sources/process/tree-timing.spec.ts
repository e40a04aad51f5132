// When the tree of a run is looked at and what is told of it, in virtual time.
import { asyncScheduler, defer, NEVER, of, throwError, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { tree, type TreePorts } from '../../../src/sources/process/run-ends.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { Census } from '../../../src/streams/domain/ports.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import { rxTest } from '../../support/rx-test.ts';
import { RUN, sh, specOf } from '../../fixtures/processes/world.ts';

type Alive = readonly ProcessRef[];

const web = specOf(sh(''));
const leader = { pid: 1, startTicks: 1 };
const child = { pid: 2, startTicks: 2 };
const watch = { type: 'tree', lane: 0, key: 'k', service: web.id, run: RUN, process: leader } as const;

const surveyed = (...alive: Alive): Event => ({
  type: 'surveyed',
  service: web.id,
  run: RUN,
  alive,
  evidence: alive.length === 0 ? ['last words'] : [],
});

/** Answers in turn, the last answer for ever. */
const census = (...answers: readonly Observable<Alive>[]): Census => {
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

const captured = (drained$: Observable<void>): TreePorts['capture'] => {
  const capture: TreePorts['capture'] = {
    tail: () => ['last words'],
    drained() {
      return drained$;
    },
  };
  return capture;
};
const AT_ONCE$ = of(undefined);
const witness: TreePorts['witness'] = { strangerAt: () => Promise.resolve(undefined) };

function survey(table: Census, drained$: Observable<void> = AT_ONCE$): Observable<Event> {
  return tree({ census: table, witness, capture: captured(drained$) })(watch);
}

describe('nobody', () => {
  it('is told after a second look only', () => {
    rxTest((rx) => {
      const first$ = rx.cold('--(e|)', { e: [] });
      const second$ = rx.cold('---(e|)', { e: [] });
      rx.expectObservable(survey(census(first$, second$))).toBe('-----(n|)', { n: surveyed() });
      rx.expectSubscriptions(first$.subscriptions).toBe('^-!');
      rx.expectSubscriptions(second$.subscriptions).toBe('--^--!');
    });
  });

  it('is not told when the second look finds somebody who slipped through the first', () => {
    rxTest((rx) => {
      const nobody$ = rx.cold('-(e|)', { e: [] as Alive });
      const somebody$ = rx.cold('-(c|)', { c: [child] });
      rx.expectObservable(survey(census(nobody$, somebody$, nobody$, nobody$))).toBe('--c 6ms (n|)', {
        c: surveyed(child),
        n: surveyed(),
      });
    });
  });

  it('is told when the output is read to its end, and the evidence is read then', () => {
    rxTest((rx) => {
      const first$ = rx.cold('(e|)', { e: [] as Alive });
      const second$ = rx.cold('(e|)', { e: [] as Alive });
      const drained$ = rx.cold('50ms (d|)', { d: undefined });
      rx.expectObservable(survey(census(first$, second$), drained$)).toBe('50ms (n|)', { n: surveyed() });
      rx.expectSubscriptions(second$.subscriptions).toBe('50ms (^!)');
    });
  });

  it.each([
    ['never is', '200ms (n|)', NEVER],
    ['cannot be', '(n|)', throwError(() => new Error('no log'))],
  ])('is told even when the output %s read to its end', (_how, told, drained$) => {
    rxTest((rx) => {
      rx.expectObservable(survey(census(of([])), drained$)).toBe(told, { n: surveyed() });
    });
  });
});

describe('somebody', () => {
  it('is told at once, and again only with a change: newcomers, and who has ended', () => {
    rxTest((rx) => {
      const table = census(
        of([leader]),
        of([leader]),
        of([child, leader]),
        of([leader, child]),
        of([child]),
        of([]),
      );
      // Looks at 0, 5, 15, 35, 75 and 155 ms.
      rx.expectObservable(survey(table)).toBe('l 14ms b 59ms c 79ms (n|)', {
        l: surveyed(leader),
        b: surveyed(child, leader),
        c: surveyed(child),
        n: surveyed(),
      });
    });
  });

  it('is looked at less and less often, but five times a second at least', () => {
    const looked: number[] = [];
    rxTest((rx) => {
      const begun = asyncScheduler.now();
      const table: Census = {
        membersOf() {
          return defer(() => {
            looked.push(asyncScheduler.now() - begun);
            return of([leader]);
          });
        },
      };
      rx.expectObservable(survey(table), '1s !').toBe('l', { l: surveyed(leader) });
      rx.flush();
    });
    expect(looked).toEqual([0, 5, 15, 35, 75, 155, 315, 515, 715, 915]);
  });

  it('goes on being somebody while the table cannot be read', () => {
    rxTest((rx) => {
      const blind$ = throwError(() => new Error('EMFILE'));
      const table = census(of([leader]), blind$, blind$, of([]));
      rx.expectObservable(survey(table)).toBe('l 404ms (n|)', { l: surveyed(leader), n: surveyed() });
    });
  });

  it('is not looked for any more when nobody wants to know', () => {
    rxTest((rx) => {
      const slow$ = rx.cold('100ms (l|)', { l: [leader] });
      rx.expectObservable(survey(census(slow$)), '20ms !').toBe('');
      rx.expectSubscriptions(slow$.subscriptions).toBe('^ 19ms !');
    });
  });
});
