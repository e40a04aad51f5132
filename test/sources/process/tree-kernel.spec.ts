// The survey of a tree through the kernel, in virtual time: what each look shows is drawn, and what the supervisor makes of it.
import { defer, NEVER, Observable } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';
import { describe, it } from 'vitest';
import { tree, type TreePorts } from '../../../src/sources/process/run-ends.ts';
import { timers } from '../../../src/sources/clocks.ts';
import type { Effect } from '../../../src/streams/domain/effect.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import { requestId, runId } from '../../../src/streams/domain/ids.ts';
import type { ProcessScanner } from '../../../src/streams/domain/ports.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import type { Watch } from '../../../src/streams/domain/watch.ts';
import { loopOf } from '../../../src/streams/kernel/loop.ts';
import { emptyWorld } from '../../support/empty-world.ts';
import { listen } from '../../support/listen.ts';
import { rxTest } from '../../support/rx-test.ts';
import { idOf } from '../../support/spec.ts';
import { serviceIn } from '../../support/states.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const RUN = runId(3);
const LEADER = { pid: 300, startTicks: 3000 };
const NEWCOMER = { pid: 301, startTicks: 3001 };
const WHO: Readonly<Record<string, readonly ProcessRef[]>> = {
  l: [LEADER],
  b: [LEADER, NEWCOMER],
  c: [NEWCOMER],
  e: [],
};

const SAID = {
  t: 'SIGTERM 300',
  b: 'SIGTERM 300 301',
  n: 'SIGTERM 301',
  k: 'SIGKILL 300',
  K: 'SIGKILL 300 301',
  s: 'stopped',
  u: 'ERR0112',
};
const BOOTED: Extract<Event, { type: 'booted' }> = {
  type: 'booted',
  settings: { ...DEFAULT_SETTINGS, stopVerify: ms(80) },
  registered: [],
  restored: [],
  found: [],
  sameBoot: true,
  warnings: [],
};

interface Story {
  /** What the first look shows and when, what the second, …; the last for ever. */
  readonly looks: readonly string[];
  /** `x`: the leader's exit becomes known. */
  readonly exit: string;
  /** `d`: the output is read to its end, after no process was seen. */
  readonly drained?: string;
  readonly stopTimeout?: number;
}

/** What is done and told from the moment in which a service that runs is to stop. */
function stopped(
  rx: RunHelpers,
  { looks, exit, drained = '(d|)', stopTimeout = 1_000 }: Story,
): Observable<string> {
  const { clock } = virtualClock();
  const loop = loopOf(clock);
  let asked = 0;
  const scanner: ProcessScanner = {
    membersOf() {
      return defer(() => {
        asked += 1;
        return rx.cold(looks[Math.min(asked, looks.length) - 1] ?? '', WHO);
      });
    },
  };
  const capture: TreePorts['capture'] = {
    tail: () => ['last words'],
    drained(): Observable<void> {
      return rx.cold(drained, { d: undefined });
    },
  };
  const look = tree({ scanner, capture, witness: { strangerAt: () => Promise.resolve(undefined) } });
  const clocked = timers({ clock });
  function open(watch: Watch): Observable<Event> {
    if (watch.type === 'tree') return look(watch);
    return watch.type === 'timer' ? clocked(watch) : NEVER;
  }
  const exited: Event = { type: 'exited', service: idOf('web'), run: RUN, status: { tag: 'code', code: 0 } };
  return new Observable((reader) => {
    const done = (effect: Effect): void => {
      if (effect.type === 'signal')
        reader.next(`${effect.signal} ${effect.targets.map(({ pid }) => pid).join(' ')}`);
      if (effect.type === 'reply') reader.next(effect.reply.ok ? 'stopped' : effect.reply.error.code);
    };
    const happened$ = rx.cold(exit, { x: exited });
    const running = listen(loop.run({ ...emptyWorld(done), open, happened$ }));
    const web = serviceIn('up', { stopTimeout: ms(stopTimeout) });
    loop.post({ ...BOOTED, restored: [web], found: [{ service: idOf('web'), run: RUN, process: LEADER }] });
    loop.post({ type: 'requested', request: requestId('r'), command: { type: 'stop', selection: {} } });
    return running;
  });
}

describe('a stop and its process scans', () => {
  it('a stop signals the processes of the first scan, and ends when a second scan is empty', () => {
    rxTest((rx) => {
      const story = { looks: ['--(l|)', '-(e|)', '-(e|)'], exit: '---x' };
      // Looks end at 2, 8 (after a pause of 5) and 9.
      rx.expectObservable(stopped(rx, story), '20ms !').toBe('--t------(s)', SAID);
    });
  });

  it('a new process is signalled once the leader is gone, since the leader may need it to clean up', () => {
    rxTest((rx) => {
      const story = { looks: ['(l|)', '(b|)', '(c|)', '(e|)'], exit: '- 10ms x' };
      // Looks at 0, 5, 15 and 35 ms: the newcomer is seen at 5 and asked at 11, with the leader's exit.
      rx.expectObservable(stopped(rx, story), '60ms !').toBe('t 10ms n 23ms s', SAID);
    });
  });

  it('no process is signalled twice', () => {
    rxTest((rx) => {
      const story = { looks: ['(b|)', '(l|)', '(c|)', '(b|)', '(e|)'], exit: '- 50ms x' };
      rx.expectObservable(stopped(rx, story), '200ms !').toBe('b 74ms s', SAID);
    });
  });

  it('a stop has not ended if the second scan finds a process that the first one missed', () => {
    rxTest((rx) => {
      const story = { looks: ['(l|)', '(e|)', '(c|)', '(e|)', '(e|)'], exit: '-x' };
      // The second scan follows the first at 5 ms; processes that it finds are signaled then.
      rx.expectObservable(stopped(rx, story), '60ms !').toBe('t----n---------s', SAID);
    });
  });

  it('a stop ends when the output is read, or its time is over', () => {
    rxTest((rx) => {
      const story = { looks: ['(l|)', '(e|)'], exit: '-x' };
      rx.expectObservable(stopped(rx, { ...story, drained: '30ms (d|)' }), '60ms !').toBe('t 34ms s', SAID);
      rx.expectObservable(stopped(rx, { ...story, drained: '-' }), '300ms !').toBe('t 204ms s', SAID);
    });
  });

  it('processes of the last scan are killed after stop_timeout, and so are later ones', () => {
    rxTest((rx) => {
      const story = { looks: ['(l|)', '(l|)', '(l|)', '(b|)', '(e|)'], exit: '- 50ms x', stopTimeout: 20 };
      // Looks at 0, 5, 15, 35 and 75 ms.
      rx.expectObservable(stopped(rx, story), '200ms !').toBe('t 19ms k 14ms K 39ms s', SAID);
    });
  });

  it('a stop is unverified if a process remains to the end', () => {
    rxTest((rx) => {
      const story = { looks: ['(l|)'], exit: '-', stopTimeout: 20 };
      rx.expectObservable(stopped(rx, story), '200ms !').toBe('t 19ms k 79ms u', SAID);
    });
  });
});
