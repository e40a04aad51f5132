// When the tree of a run is looked at and what is told of it, in virtual time.
import { asyncScheduler, defer, NEVER, of, throwError, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { tree, type TreePorts } from '../../../src/sources/process/run-ends.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { ProcessScanner } from '../../../src/streams/domain/ports.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import { rxTest } from '../../support/rx-test.ts';
import { RUN, sh, specOf } from '../../fixtures/processes/world.ts';

type Alive = readonly ProcessRef[];

const web = specOf(sh(''));
const leader = { pid: 1, startTicks: 1 };
const child = { pid: 2, startTicks: 2 };
const watch = { type: 'tree', fifoPair: 0, key: 'k', service: web.id, run: RUN, process: leader } as const;

const surveyed = (...alive: Alive): Event => ({
  type: 'surveyed',
  service: web.id,
  run: RUN,
  alive,
  evidence: alive.length === 0 ? ['last words'] : [],
});

/** Answers in turn, the last answer for ever. */
const scanner = (...answers: readonly Observable<Alive>[]): ProcessScanner => {
  let asked = 0;
  const table: ProcessScanner = {
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

function survey(table: ProcessScanner, drained$: Observable<void> = AT_ONCE$): Observable<Event> {
  return tree({ scanner: table, witness, capture: captured(drained$) })(watch);
}

describe('reporting an empty tree', () => {
  it('an empty tree is reported after a second scan only', () => {
    rxTest((rx) => {
      const first$ = rx.cold('--(e|)', { e: [] });
      const second$ = rx.cold('---(e|)', { e: [] });
      rx.expectObservable(survey(scanner(first$, second$))).toBe('-----(n|)', { n: surveyed() });
      rx.expectSubscriptions(first$.subscriptions).toBe('^-!');
      rx.expectSubscriptions(second$.subscriptions).toBe('--^--!');
    });
  });

  it('an empty tree is not reported if the second scan finds a process that the first one missed', () => {
    rxTest((rx) => {
      const nobody$ = rx.cold('-(e|)', { e: [] as Alive });
      const somebody$ = rx.cold('-(c|)', { c: [child] });
      rx.expectObservable(survey(scanner(nobody$, somebody$, nobody$, nobody$))).toBe('--c 6ms (n|)', {
        c: surveyed(child),
        n: surveyed(),
      });
    });
  });

  it('an empty tree is reported when the output is read, and the evidence is read then', () => {
    rxTest((rx) => {
      const first$ = rx.cold('(e|)', { e: [] as Alive });
      const second$ = rx.cold('(e|)', { e: [] as Alive });
      const drained$ = rx.cold('50ms (d|)', { d: undefined });
      rx.expectObservable(survey(scanner(first$, second$), drained$)).toBe('50ms (n|)', { n: surveyed() });
      rx.expectSubscriptions(second$.subscriptions).toBe('50ms (^!)');
    });
  });

  it.each([
    ['never is', '200ms (n|)', NEVER],
    ['cannot be', '(n|)', throwError(() => new Error('no log'))],
  ])('an empty tree is reported even if the output %s read to its end', (_how, told, drained$) => {
    rxTest((rx) => {
      rx.expectObservable(survey(scanner(of([])), drained$)).toBe(told, { n: surveyed() });
    });
  });
});

describe('reporting a living tree', () => {
  it('a living tree is reported at once, and then with each change', () => {
    rxTest((rx) => {
      const table = scanner(
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

  it('a living tree is scanned less and less often, but at least five times a second', () => {
    const looked: number[] = [];
    rxTest((rx) => {
      const begun = asyncScheduler.now();
      const table: ProcessScanner = {
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

  it('a tree stays alive while the process table cannot be read', () => {
    rxTest((rx) => {
      const blind$ = throwError(() => new Error('EMFILE'));
      const table = scanner(of([leader]), blind$, blind$, of([]));
      rx.expectObservable(survey(table)).toBe('l 404ms (n|)', { l: surveyed(leader), n: surveyed() });
    });
  });

  it('a tree is not scanned any more without a subscriber', () => {
    rxTest((rx) => {
      const slow$ = rx.cold('100ms (l|)', { l: [leader] });
      rx.expectObservable(survey(scanner(slow$)), '20ms !').toBe('');
      rx.expectSubscriptions(slow$.subscriptions).toBe('^ 19ms !');
    });
  });
});
