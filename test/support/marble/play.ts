// Plays a marble story: the real kernel, real timers and alarms in virtual time, a simulated world, and what came out
// drawn in the notation of the story.
import { EMPTY, map, of, VirtualAction, VirtualTimeScheduler, type Observable } from 'rxjs';
import { alarms } from '../../../src/sources/time/alarms.ts';
import { deadlines } from '../../../src/sources/time/deadlines.ts';
import { timers } from '../../../src/sources/time/timers.ts';
import type { Command } from '../../../src/streams/domain/command.ts';
import type { Effect } from '../../../src/streams/domain/effect.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import { requestId, serviceId, type ServiceId } from '../../../src/streams/domain/ids.ts';
import type { Service } from '../../../src/streams/domain/service.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/streams/domain/settings.ts';
import { instant, ms, plus, type Instant, type Ms } from '../../../src/streams/domain/time.ts';
import type { Watch } from '../../../src/streams/domain/watch.ts';
import { derive, type ServiceChange } from '../../../src/streams/kernel/derived.ts';
import { serviceAt } from '../../../src/streams/kernel/roster.ts';
import { INITIAL_STATE, type SupervisorState } from '../../../src/streams/kernel/state.ts';
import { supervise } from '../../../src/streams/kernel/supervise.ts';
import { mailbox } from '../../../src/streams/operators/mailbox.ts';
import { observeWhile } from '../../../src/streams/operators/observe-while.ts';
import { listen } from '../listen.ts';
import { SHOP } from '../spec.ts';
import { COMMANDS, effectLetter, HOOKS, REPLIES, stateLetter } from './alphabet.ts';
import { manifestOf } from './declare.ts';
import { worldOf } from './world.ts';
import type { Lane, Story, Tick } from './story.ts';

export interface Played {
  /** What came out in each output lane of the story. */
  readonly lanes: ReadonlyMap<string, readonly Tick[]>;
  /** Every state that the supervisor was in. */
  readonly states: readonly SupervisorState[];
}

const settingsOf = ({ settings }: Story): Settings => ({
  ...DEFAULT_SETTINGS,
  maxConcurrent: Number(settings['max_concurrent'] ?? DEFAULT_SETTINGS.maxConcurrent),
});

/** Writes down what happens in the lanes that the story has, in order of time. */
class Recorder {
  readonly #ticks = new Map<string, { at: Ms; labels: string[] }[]>();
  readonly #now: () => Ms;

  constructor(lanes: readonly Lane[], now: () => Ms) {
    this.#now = now;
    for (const { name, direction } of lanes) if (direction === 'out') this.#ticks.set(name, []);
  }

  write(lane: string, letter: string): void {
    const ticks = this.#ticks.get(lane);
    const at = this.#now();
    const last = ticks?.at(-1);
    if (last?.at === at) last.labels.push(letter);
    else ticks?.push({ at, labels: [letter] });
  }

  /** Of what passes within one instant only the last is drawn. */
  overwrite(lane: string, letter: string): void {
    const last = this.#ticks.get(lane)?.at(-1);
    if (last?.at === this.#now()) last.labels.length = 0;
    this.write(lane, letter);
  }

  get lanes(): Played['lanes'] {
    return this.#ticks;
  }
}

const idOf = (name: string): ServiceId => serviceId(SHOP, name);

export const play = (story: Story): Played => {
  const scheduler = new VirtualTimeScheduler(VirtualAction, Infinity);
  const origin: Instant = story.clock === undefined ? instant(0) : instant(Date.parse(story.clock));
  const now = (): Ms => ms(scheduler.now());
  const clock = { now: (): Instant => plus(origin, now()) };
  const time = { clock, scheduler, uptime: now };
  const world = worldOf(story);
  const manifest = manifestOf(story);
  const recorder = new Recorder(story.lanes, now);
  const states: SupervisorState[] = [];
  const { post, posted$ } = mailbox<Event>();
  const step$ = posted$.pipe(
    map((event) => ({ at: clock.now(), event })),
    supervise(),
  );
  const derived = derive(step$);
  let state = INITIAL_STATE;
  const shown = new Map(manifest.services.map(({ id }) => [id, 'd']));

  const open = (watch: Watch): Observable<Event> => {
    if (watch.type === 'timer') return timers(time)(watch);
    if (watch.type === 'deadline') return deadlines(time)(watch);
    if (watch.type === 'alarm') return alarms(time)(watch);
    if (watch.type === 'manifests') {
      const loads = [{ path: manifest.path, manifest, problems: [] }];
      return of({ type: 'manifests-loaded', request: watch.request, loads });
    }
    return EMPTY;
  };
  const showState = ({ id, service }: ServiceChange): void => {
    const letter = service === undefined ? '' : stateLetter(service);
    if (shown.get(id) === letter) return;
    shown.set(id, letter);
    recorder.overwrite(`${id.slice(SHOP.length + 1)}.state`, letter);
  };
  const showEffect = (effect: Effect): void => {
    const letter = effectLetter(effect);
    if (letter !== undefined && 'service' in effect)
      recorder.write(`${String(effect.service).slice(SHOP.length + 1)}.effect`, letter);
    if (effect.type === 'run-hook') recorder.write(`${effect.spec.name}.hooks`, HOOKS[effect.occasion.name]);
    if (effect.type === 'reply')
      recorder.write('cli.reply', effect.reply.ok ? REPLIES.done : REPLIES.refused);
    if (effect.type === 'reply' && !effect.reply.ok)
      recorder.write('cli.error', effect.reply.error.code.slice(3));
    if (effect.type === 'quit') recorder.write('cli.reply', 'Q');
  };

  const subscription = listen(step$, (step) => {
    state = step.state;
    states.push(step.state);
  });
  subscription.add(listen(derived.service$, showState));
  subscription.add(listen(derived.effect$, showEffect));
  subscription.add(
    listen(derived.watch$.pipe(observeWhile({ open, onError: (_watch, error) => fail(error) })), post),
  );
  subscription.add(listen(derived.effect$, (effect) => world.answer(effect).forEach(post)));

  post({
    type: 'booted',
    settings: settingsOf(story),
    registered: [{ path: manifest.path, load: { path: manifest.path, manifest, problems: [] } }],
    restored: [],
    found: [],
    sameBoot: true,
    warnings: [],
  });
  schedule(story, scheduler, (lane, letter) => {
    const service = lane === 'cli' ? undefined : serviceAt(state.roster, idOf(lane));
    const command = commandOf(letter, service);
    if (command) post(commandEvent(`${lane}${now()}${letter}`, command));
    else if (service) world.events(service, letter).forEach(post);
    else throw new Error(`${story.name}: nobody knows "${letter}" in lane "${lane}"`);
  });
  const end = story.columns.reduce((last, { at, span }) => Math.max(last, at + span), 0);
  scheduler.schedule(() => subscription.unsubscribe(), end);
  scheduler.flush();
  return { lanes: recorder.lanes, states };
};

const fail = (error: unknown): never => {
  throw error;
};

const commandEvent = (request: string, command: Command): Event => ({
  type: 'requested',
  request: requestId(request),
  command,
});

const commandOf = (letter: string, service: Service | undefined): Command | undefined => {
  const type = COMMANDS[letter];
  if (type === undefined) return undefined;
  if (type === 'shutdown') return { type };
  const selection = service ? { service: service.spec.id } : {};
  return { type, selection };
};

const schedule = (
  { lanes }: Story,
  scheduler: VirtualTimeScheduler,
  happen: (lane: string, letter: string) => void,
): void => {
  const inputs = lanes.filter(({ direction }) => direction === 'in');
  for (const { name, ticks } of inputs)
    for (const { at, labels } of ticks)
      for (const letter of labels) scheduler.schedule(() => happen(name, letter), at);
};
