// Plays a marble story: the real kernel, real timers and alarms in virtual time, a simulated world, and what came out
// drawn in the notation of the story.
import { EMPTY, map, of, VirtualAction, VirtualTimeScheduler, type Observable } from 'rxjs';
import { alarms, type AlarmPorts } from '../../../src/sources/time/alarms.ts';
import { deadlines } from '../../../src/sources/time/deadlines.ts';
import { timers } from '../../../src/sources/time/timers.ts';
import type { Command } from '../../../src/streams/domain/command.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import { requestId, serviceId } from '../../../src/streams/domain/ids.ts';
import type { Manifest } from '../../../src/streams/domain/manifest.ts';
import type { Service } from '../../../src/streams/domain/service.ts';
import { instant, ms, plus, type Instant, type Ms } from '../../../src/streams/domain/time.ts';
import type { Watch } from '../../../src/streams/domain/watch.ts';
import { derive } from '../../../src/streams/kernel/derived.ts';
import { serviceAt } from '../../../src/streams/kernel/roster.ts';
import { INITIAL_STATE, type SupervisorState } from '../../../src/streams/kernel/state.ts';
import { supervise } from '../../../src/streams/kernel/supervise.ts';
import { mailbox } from '../../../src/streams/operators/mailbox.ts';
import { observeWhile, type ObserveWhile } from '../../../src/streams/operators/observe-while.ts';
import { listen } from '../listen.ts';
import { SHOP } from '../spec.ts';
import { CLOCK, COMMANDS, meaningOf, SIGNALS } from './alphabet.ts';
import { manifestOf } from './declare.ts';
import { Recorder } from './recorder.ts';
import { settingsOf } from './settings.ts';
import { complain, type Story, type Tick } from './story.ts';
import { checkLanes, tellerOf } from './telling.ts';
import { worldOf } from './world.ts';

export interface Played {
  /** What came out in each output lane of the story. */
  readonly lanes: ReadonlyMap<string, readonly Tick[]>;
  /** Every state that the supervisor was in. */
  readonly states: readonly SupervisorState[];
}

const HOUR = 3_600_000;

/** Opens watches: time is virtual, the manifest is the story's, everything else is told in the lanes. */
const openWith =
  (time: AlarmPorts, manifest: Manifest) =>
  (watch: Watch): Observable<Event> => {
    if (watch.type === 'timer') return timers(time)(watch);
    if (watch.type === 'deadline') return deadlines(time)(watch);
    if (watch.type === 'alarm') return alarms(time)(watch);
    if (watch.type !== 'manifests') return EMPTY;
    const loads = [{ path: manifest.path, manifest, problems: [] }];
    return of({ type: 'manifests-loaded', request: watch.request, loads });
  };

const fail = (_watch: Watch, error: unknown): never => {
  throw error;
};

const commandOf = (letter: string, service: Service | undefined): Command | undefined => {
  const type = meaningOf(COMMANDS, letter);
  if (type === undefined || type === 'shutdown') return type && { type };
  return { type, selection: service ? { service: service.spec.id } : {} };
};

/** What a letter of an input lane brings about. */
const happening = (letter: string, lane: { turn: number; service?: Service }): Event | undefined => {
  const command = commandOf(letter, lane.service);
  const request = requestId(`${lane.turn}${letter}`);
  if (command) return { type: 'requested', request, command };
  const signal = meaningOf(SIGNALS, letter);
  return signal && { type: 'signalled', signal };
};

const schedule = (
  { lanes, name: file }: Story,
  scheduler: VirtualTimeScheduler,
  happen: (lane: string, letter: string) => boolean,
): void => {
  for (const { direction, name, ticks, line } of lanes)
    for (const { at, letter } of ticks.flatMap((tick) => tick.labels.map((letter) => ({ ...tick, letter }))))
      if (direction === 'in')
        scheduler.schedule(() => {
          if (!happen(name, letter))
            throw complain({ file, line, column: 1 }, `nobody knows "${letter}" in lane "${name}"`);
        }, at);
};

export const play = (story: Story): Played => {
  checkLanes(story);
  const scheduler = new VirtualTimeScheduler(VirtualAction, Infinity);
  const origin: Instant = story.clock === undefined ? instant(0) : instant(Date.parse(story.clock));
  let shift = 0;
  const now = (): Ms => ms(scheduler.now());
  const clock = { now: (): Instant => plus(origin, ms(now() + shift)) };
  const manifest = manifestOf(story);
  const world = worldOf(story);
  const recorder = new Recorder(story.lanes, now);
  const teller = tellerOf(recorder);
  const states: SupervisorState[] = [INITIAL_STATE];
  const { post, posted$ } = mailbox<Event>();
  const step$ = posted$.pipe(
    map((event) => ({ at: clock.now(), event })),
    supervise(),
  );
  const derived = derive(step$);
  const opening: ObserveWhile<Watch, Event> = {
    open: openWith({ clock, scheduler, uptime: now }, manifest),
    onError: fail,
  };
  const watching$ = derived.watch$.pipe(observeWhile(opening));

  const subscription = listen(derived.state$, (state) => states.push(state));
  subscription.add(listen(derived.service$, teller.seen));
  subscription.add(listen(derived.effect$, teller.done));
  subscription.add(listen(watching$, post));
  subscription.add(listen(derived.effect$, (effect) => world.answer(effect).forEach(post)));
  const load = { path: manifest.path, manifest, problems: [] };
  post({
    type: 'booted',
    settings: settingsOf(story),
    registered: [{ path: manifest.path, load }],
    restored: [],
    found: [],
    sameBoot: true,
    warnings: [],
  });
  schedule(story, scheduler, (lane, letter) => {
    if (lane === 'clock') {
      const hours = meaningOf<number>(CLOCK, letter);
      shift += (hours ?? 0) * HOUR;
      return hours !== undefined;
    }
    const state = states.at(-1) ?? INITIAL_STATE;
    const service = serviceAt(state.roster, serviceId(SHOP, lane));
    const event = happening(letter, { turn: states.length, ...(service && { service }) });
    const events = event ? [event] : service && world.events(service, letter);
    events?.forEach(post);
    return events !== undefined;
  });
  const end = story.columns.reduce((last, { at, span }) => Math.max(last, at + span), 0);
  scheduler.schedule(() => subscription.unsubscribe(), end);
  scheduler.flush();
  return { lanes: recorder.lanes, states: states.slice(1) };
};
