// The stage of a marble story: the real kernel with real timers and alarms in virtual time, in a simulated world.
import { EMPTY, from, mergeMap, NEVER, of, type Observable, type VirtualTimeScheduler } from 'rxjs';
import { type AlarmPorts, alarms, deadlines, timers } from '../../../src/sources/clocks.ts';
import type { Effect } from '../../../src/streams/domain/effect.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { Manifest } from '../../../src/streams/domain/declared/manifest.ts';
import type { Sink } from '../../../src/streams/domain/ports.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { instant, ms, plus, type Instant, type Ms } from '../../../src/streams/domain/time.ts';
import type { Watch } from '../../../src/streams/domain/watch.ts';
import { loopOf } from '../../../src/streams/kernel/loop.ts';
import type { SupervisorState } from '../../../src/streams/kernel/state.ts';
import { each } from '../../../src/streams/operators/each.ts';
import { stepEvents } from '../../../src/streams/views/events/event-documents.ts';
import { notesOf } from '../../../src/streams/views/notes/notes.ts';
import { listen } from '../listen.ts';
import { manifestsOf } from './declare.ts';
import { followIncidents } from './incidents.ts';
import { settingsOf } from './settings.ts';
import type { Story } from './story.ts';
import { FACTS, type Teller } from './telling.ts';
import { worldOf, type World } from './world.ts';

export interface Stage {
  readonly world: World;
  readonly post: (event: Event) => void;
  /** Every state so far. */
  readonly states: readonly SupervisorState[];
  /** Everything done so far. */
  readonly deeds: readonly Effect[];
  /** Sets the wall clock; the time that passes does not notice. */
  readonly setClock: (by: Ms) => void;
  readonly close: () => void;
}

/** The manifest as this request reads it: from the first SIGHUP on it says what comes later. */
const readerOf = (story: Story): ((request: string) => Manifest) => {
  const { first, later } = manifestsOf(story);
  let read = first;
  return (request) => {
    if (request.startsWith('signal:SIGHUP')) read = later;
    return read;
  };
};

/** Opens watches: time is virtual, the manifest is the story's, a tree shows its leader, all else is told in the lanes. */
const openWith =
  (time: AlarmPorts, reads: (request: string) => Manifest, world: World) =>
  (watch: Watch): Observable<Event> => {
    if (watch.type === 'timer') return timers(time)(watch);
    if (watch.type === 'deadline') return deadlines(time)(watch);
    if (watch.type === 'alarm') return alarms(time)(watch);
    if (watch.type === 'tree') return from(world.look(watch));
    if (watch.type !== 'manifests') return EMPTY;
    const manifest = reads(watch.request);
    const loads = [{ path: manifest.path, manifest, problems: [] }];
    return of({ type: 'manifests-loaded', request: watch.request, loads });
  };

const fail = (_watch: Watch, error: unknown): never => {
  throw error;
};

const booted = (story: Story, { path, ...rest }: Manifest): Event => ({
  type: 'booted',
  settings: settingsOf(story),
  registered: [{ path, load: { path, manifest: { path, ...rest }, problems: [] } }],
  restored: [],
  found: [],
  sameBoot: true,
  warnings: [],
});

/** The supervisor of a story, as it is at the beginning: its manifest is registered, and nothing was asked of it. */
export const stageOf = (story: Story, scheduler: VirtualTimeScheduler, teller: Teller): Stage => {
  const origin: Instant = story.clock === undefined ? instant(0) : instant(Date.parse(story.clock));
  let shift = 0;
  const uptime = (): Ms => ms(scheduler.now());
  const clock = { now: (): Instant => plus(origin, ms(uptime() + shift)) };
  const reads = readerOf(story);
  const world = worldOf(story);
  const states: SupervisorState[] = [];
  const deeds: Effect[] = [];
  const loop = loopOf(clock);
  const answered =
    <T extends Effect['type']>(): Sink<T> =>
    (effect$) =>
      effect$.pipe(
        mergeMap((effect) => {
          deeds.push(effect);
          teller.done(effect);
          return world.answer(effect);
        }),
      );

  const { derived, post } = loop;
  const subscription = listen(derived.state$, (state) => states.push(state));
  subscription.add(listen(derived.service$, teller.seen));
  subscription.add(listen(derived.step$.pipe(each(stepEvents)), teller.heard));
  subscription.add(followIncidents(derived.step$, { clock, scheduler }, teller.alerted));
  for (const fact of FACTS)
    subscription.add(
      listen<{ service: Service }>(derived[fact], ({ service }) => teller.told(fact, service)),
    );
  subscription.add(
    listen(
      loop.run({
        notesOf,
        notes: answered(),
        spawns: answered(),
        signals: answered(),
        hooks: answered(),
        slots: answered(),
        replies: answered(),
        open: openWith({ clock, scheduler, uptime }, reads, world),
        onWatchError: fail,
        happened$: NEVER,
      }),
    ),
  );
  subscription.add(listen(derived.quit$, teller.done));
  post(booted(story, reads('')));
  return {
    world,
    post,
    states,
    deeds,
    setClock: (by) => {
      shift += by;
    },
    close: () => subscription.unsubscribe(),
  };
};
