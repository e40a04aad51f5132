import { EMPTY, NEVER, Observable, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/streams/domain/event.ts';
import { requestId, runId } from '../../../src/streams/domain/ids.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import type { Watch } from '../../../src/streams/domain/watch.ts';
import { loopOf, type Loop, type KernelDeps } from '../../../src/streams/kernel/loop.ts';
import { emptyWorld } from '../../support/empty-world.ts';
import { listen } from '../../support/listen.ts';
import { idOf, manifestOf, specOf } from '../../support/spec.ts';

const hooks = { 'on_start.error': { command: 'true' } };
const manifest = manifestOf(specOf('db', { restartPolicy: 'never', hooks }), specOf('mail'));
const load = { path: manifest.path, manifest, problems: [] };
const booted: Event = {
  type: 'booted',
  settings: { ...DEFAULT_SETTINGS, maxConcurrent: 1 },
  registered: [{ path: manifest.path, load }],
  restored: [],
  found: [],
  sameBoot: true,
  warnings: [],
};
const start = (id: string, service?: string): readonly Event[] => {
  const request = requestId(id);
  const selection = service === undefined ? {} : { services: [service] };
  return [
    { type: 'requested', request, command: { type: 'start', selection } },
    { type: 'manifests-loaded', request, loads: [load] },
  ];
};
const news = (name: string) => ({ service: idOf(name), run: runId(1) });
const LEADER = { pid: 7, startTicks: 7 };

/** Returns a running loop and the list of all consequences, in the order in which they are carried out. */
const running = (around: Partial<KernelDeps> = {}): { loop: Loop; heard: string[] } => {
  const heard: string[] = [];
  const loop = loopOf({ now: () => instant(0) });
  function open({ type }: Watch): Observable<Event> {
    return new Observable(() => {
      heard.push(`open ${type}`);
      return () => heard.push(`close ${type}`);
    });
  }
  listen(loop.run({ ...emptyWorld(({ type }) => heard.push(type)), open, ...around }));
  return { loop, heard };
};

describe('the order of consequences', () => {
  it('consequences of a step are handled in the order watches, notes, spawns, hooks, replies', () => {
    const { loop, heard } = running();
    [booted, ...start('all'), ...start('one', 'db')].forEach(loop.post);
    heard.length = 0;
    // The spawn of `db` fails. This is logged, its hook runs, the request is answered, and its place in the
    // gate is free.
    const error = { code: 'ERR0113', service: idOf('db'), detail: 'no' } as const;
    loop.post({ ...news('db'), type: 'spawn-failed', error });
    expect(heard).toEqual(['close deadline', 'note', 'note', 'spawn', 'run-hook', 'reply']);
  });

  it('consequences of a step are handled in the order watches, notes, signals', () => {
    const { loop, heard } = running();
    const stop: Event = {
      type: 'requested',
      request: requestId('stop'),
      command: { type: 'stop', selection: {} },
    };
    const spawned: Event = { ...news('db'), type: 'spawned', process: LEADER };
    [booted, ...start('one', 'db'), spawned, stop].forEach(loop.post);
    heard.length = 0;
    loop.post({ ...news('db'), type: 'elapsed', timer: 'stop-timeout' });
    expect(heard).toEqual(['close timer', 'open timer', 'note', 'signal']);
  });

  it('each kind of consequence reaches its sink in that order', () => {
    const opened: string[] = [];
    const sink = (name: string) => () =>
      new Observable<never>(() => {
        opened.push(name);
      });
    running({
      notes: sink('notes'),
      spawns: sink('spawns'),
      signals: sink('signals'),
      hooks: sink('hooks'),
      replies: sink('replies'),
    });
    expect(opened).toEqual(['notes', 'spawns', 'signals', 'hooks', 'replies']);
  });
});

describe('the loop', () => {
  it('the loop makes a step of each event, with its time', () => {
    const happened$ = new Subject<Event>();
    let now = 5;
    const loop = loopOf({ now: () => instant(now) });
    const moments: number[] = [];
    listen(loop.derived.step$, ({ at }) => moments.push(at));
    listen(loop.run({ ...emptyWorld(), happened$ }));
    happened$.next(booted);
    now = 9;
    happened$.next({ type: 'signalled', signal: 'SIGHUP' });
    expect(moments).toEqual([5, 9]);
    expect(loop.read().settings.maxConcurrent).toBe(1);
  });

  it('the loop handles events of a consequence after the present step, in the same order for each reader', () => {
    const loop = loopOf({ now: () => instant(0) });
    const [first, second]: [string[], string[]] = [[], []];
    listen(loop.derived.step$, ({ event }) => first.push(event.type));
    function open(watch: Watch): Observable<Event> {
      return watch.type === 'manifests'
        ? new Observable((reader) =>
            reader.next({ type: 'manifests-loaded', request: watch.request, loads: [load] }),
          )
        : NEVER;
    }
    listen(loop.run({ ...emptyWorld(), open }));
    listen(loop.derived.step$, ({ event }) => second.push(event.type));
    [booted, ...start('all').slice(0, 1)].forEach(loop.post);
    expect(first).toEqual(['booted', 'requested', 'manifests-loaded']);
    expect(second).toEqual(first);
  });

  it('the loop shows the state of the current step to readers within it', () => {
    const loop = loopOf({ now: () => instant(0) });
    const phases: string[] = [];
    listen(loop.derived.state$, (state) => phases.push(String(state === loop.read())));
    listen(loop.run(emptyWorld()));
    loop.post(booted);
    expect(phases).toEqual(['true']);
  });

  it('the loop stops watching when it is unsubscribed', () => {
    const heard: string[] = [];
    const loop = loopOf({ now: () => instant(0) });
    function open({ type }: Watch): Observable<Event> {
      return new Observable(() => () => heard.push(type));
    }
    const run = listen(loop.run({ ...emptyWorld(), open, happened$: EMPTY }));
    [booted, ...start('all').slice(0, 1)].forEach(loop.post);
    run.unsubscribe();
    expect(heard).toEqual(['manifests']);
  });
});

describe('a paused loop', () => {
  it('a paused loop takes no steps, then handles the events of the pause in order', () => {
    const { loop, heard } = running();
    loop.post(booted);
    const held = loop.hold();
    const waiting = start('one', 'db');
    waiting.forEach(loop.post);
    expect(heard).toEqual([]);
    expect(held.events()).toEqual(waiting);
    held.release();
    expect(heard).toContain('spawn');
    loop.post({ ...news('db'), type: 'spawned', process: LEADER });
    expect(loop.read().serviceTable.size).toBe(2);
  });

  it('a loop that is paused before its first step takes that step before all queued events', () => {
    const { loop } = running();
    const order: string[] = [];
    listen(loop.derived.step$, ({ event }) => order.push(event.type));
    const held = loop.hold();
    loop.post({ type: 'signalled', signal: 'SIGTERM' });
    held.release(booted);
    expect(order).toEqual(['booted', 'signalled']);
  });
});
