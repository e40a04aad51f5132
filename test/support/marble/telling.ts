// What came out, written into the lanes of a story: one lane for each thing that can be seen of a service, two for the
// command line. A lane is written only where something changed.
import type { AlertCause } from '../../../src/streams/domain/declared/spec.ts';
import type { Effect, EffectOf } from '../../../src/streams/domain/effect.ts';
import type { ServiceError } from '../../../src/streams/domain/errors/error.ts';
import { nameOf, type ServiceId } from '../../../src/streams/domain/ids.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { stepOf } from '../../../src/streams/rollout/rollout-input.ts';
import type { ServiceChange } from '../../../src/streams/kernel/after-step/step-streams.ts';
import type { Facts } from '../../../src/streams/kernel/after-step/state-change-facts.ts';
import type { EventDocument } from '../../../src/streams/wire/documents/event-document.ts';
import {
  effectLetter,
  ALERTS,
  EVENTS,
  HEALTH,
  HOOKS,
  NOTES,
  REPLIES,
  ROLLOUT,
  RUNS,
  stateLetter,
} from './alphabet.ts';
import { isChildLane, NOBODY, serviceOfLane, type Children } from './children.ts';
import type { Recorder } from './recorder.ts';
import { complain, type Story } from './story.ts';

/** `ERR0110` as the letters `0110`. */
const digits = (code: string): readonly string[] => code.slice('ERR'.length).split('');

const errorOf = ({ actual }: Service): ServiceError | undefined => {
  if (actual.tag === 'backing-off' || actual.tag === 'broken') return actual.error;
  return actual.tag === 'down' && actual.why.tag === 'failed' ? actual.why.error : undefined;
};

const healthOf = ({ actual }: Service): readonly string[] =>
  actual.tag === 'starting' || actual.tag === 'up' ? [HEALTH[actual.health.health]] : [];

/** The first letters of the failed dependencies. */
const culpritsOf = ({ actual }: Service): readonly string[] =>
  actual.tag === 'casualty' ? actual.of.map((id) => nameOf(id).charAt(0)) : [];

/** The step of the rollout under way, or how the last one ended. */
const rolloutOf = ({ rollout, rollouts }: Service): readonly string[] => {
  if (rollout !== undefined) return [ROLLOUT[stepOf(rollout)]];
  const last = rollouts?.at(-1);
  return last === undefined ? [] : [ROLLOUT[last.outcome]];
};

/** What is seen of a service at any moment, and the letters it is drawn with; none: nothing to be seen. */
const SIGHTS: Readonly<Record<string, (service: Service) => readonly string[]>> = {
  state: (service) => [stateLetter(service)],
  error: (service) => digits(errorOf(service)?.code ?? 'ERR'),
  health: healthOf,
  culprits: culpritsOf,
  run: ({ runs }) => (runs === 0 ? [] : [String(runs)]),
  slot: ({ slot }) => (slot === undefined ? [] : [slot.slice(-1)]),
  rollout: rolloutOf,
  second: ({ rollout }) => (rollout === undefined ? ['.'] : [stateLetter(rollout.other)]),
  failure: ({ rollouts }) => digits(rollouts?.at(-1)?.error?.code ?? 'ERR'),
};
const SIGHT_AT_FIRST: Readonly<Record<string, string>> = { state: 'd', second: '.' };
const DEEDS = ['effect', 'hooks', 'runs', 'kept', 'log', 'events', 'alerts'];
const OF_CHILD = ['state', 'effect', 'parent'];
const OF_CLI = ['cli.reply', 'cli.error', 'cli.log'];

/** Streams of facts, each a lane of its own, in which a fact is drawn by the first letter of the service's name. */
export const FACTS = [
  'admission$',
  'ready$',
  'health$',
  'exit$',
  'overdue$',
  'restart$',
  'breaker$',
  'casualty$',
  'down$',
] as const satisfies readonly (keyof Facts)[];

/** What the lanes of a service begin with; of one with `replicas`, those of each instance. */
const laneName = ({ name, options }: Story['services'][number]): string =>
  options['replicas'] === undefined ? name : `${name}@`;

/** Refuses a lane that is never written, since any content of it would pass. */
export const checkLanes = ({ name: file, lanes, services }: Story): void => {
  const aspects = [...Object.keys(SIGHTS), ...DEEDS];
  const known = new Set([
    ...OF_CLI,
    ...FACTS,
    ...services.flatMap((service) => aspects.map((each) => `${laneName(service)}.${each}`)),
  ]);
  const isOfChild = (lane: string): boolean => {
    const [child = '', aspect = ''] = lane.split('.');
    const declared = services.some(({ name }) => name === serviceOfLane(child));
    return isChildLane(child) && declared && OF_CHILD.includes(aspect);
  };
  for (const { direction, name, line } of lanes)
    if (direction === 'out' && !known.has(name.replace(/@\d+/, '@')) && !isOfChild(name))
      throw complain({ file, line, column: 1 }, `nothing is ever seen in lane "${name}"`);
};

export interface Teller {
  readonly seen: (change: ServiceChange) => void;
  readonly done: (effect: Effect) => void;
  readonly heard: (event: EventDocument) => void;
  readonly alerted: (service: ServiceId, cause: AlertCause) => void;
  readonly told: (fact: (typeof FACTS)[number], service: Service) => void;
}

const sightsOf = (recorder: Recorder): Teller['seen'] => {
  const last = new Map<string, string>();
  const show = (sight: string, id: ServiceId, service: Service): void => {
    const lane = `${nameOf(id)}.${sight}`;
    const letters = SIGHTS[sight]?.(service) ?? [];
    if ((last.get(lane) ?? SIGHT_AT_FIRST[sight] ?? '') === letters.join('')) return;
    last.set(lane, letters.join(''));
    if (letters.length > 0) recorder.overwrite(lane, ...letters);
  };
  return ({ id, service }) => {
    if (service !== undefined) Object.keys(SIGHTS).forEach((sight) => show(sight, id, service));
  };
};

/** A scheduled run is drawn when it is entered in the history, and again when its result becomes known. */
const runsOf = (recorder: Recorder): Teller['seen'] => {
  const drawn = new Set<string>();
  return ({ id, service }) => {
    for (const { due, result } of service?.schedule.runs ?? []) {
      const key = `${id} ${due} ${result}`;
      if (!drawn.has(key)) recorder.write(`${nameOf(id)}.runs`, RUNS[result]);
      drawn.add(key);
    }
  };
};

/** Children are drawn from the moment they are asked for. */
const familiesOf = (recorder: Recorder, children: Children): Teller['seen'] => {
  const last = new Map<string, string>();
  return ({ service }) => {
    if (service === undefined) return;
    children.meet(service);
    for (const lane of children.lanesOf(service))
      for (const [sight, letter] of Object.entries(children.sight(service, lane))) {
        const name = `${lane}.${sight}`;
        if ((last.get(name) ?? NOBODY) !== letter) recorder.overwrite(name, letter);
        last.set(name, letter);
      }
  };
};

const deedsOf = (recorder: Recorder, children: Children): Teller['done'] => {
  const reply = (effect: EffectOf<'reply'>): void => {
    recorder.write('cli.reply', effect.reply.ok ? REPLIES.done : REPLIES.refused);
    if (!effect.reply.ok) recorder.write('cli.error', ...digits(effect.reply.error.code));
  };
  const note = ({ service, level }: EffectOf<'note'>): void =>
    recorder.write(service === undefined ? 'cli.log' : `${nameOf(service)}.log`, NOTES[level]);
  const act = (effect: EffectOf<'spawn' | 'signal'>): void =>
    recorder.write(`${children.laneOf(effect)}.effect`, effectLetter(effect) ?? '');
  return (effect) => {
    if (effect.type === 'spawn' || effect.type === 'signal') act(effect);
    if (effect.type === 'run-hook') recorder.write(`${effect.spec.name}.hooks`, HOOKS[effect.occasion.name]);
    if (effect.type === 'keep-slot') recorder.write(`${nameOf(effect.service)}.kept`, effect.slot.slice(-1));
    if (effect.type === 'note') note(effect);
    if (effect.type === 'reply') reply(effect);
    if (effect.type === 'quit') recorder.write('cli.reply', REPLIES.quit);
  };
};

const eventLetter = ({ kind, health, rollout }: EventDocument): string => {
  if (kind === 'health') return HEALTH[health];
  if (kind === 'state' || kind === 'run') return EVENTS[kind];
  return rollout === null ? '' : ROLLOUT[rollout.step];
};

export const tellerOf = (recorder: Recorder, children: Children): Teller => {
  const [sights, runs, families] = [sightsOf(recorder), runsOf(recorder), familiesOf(recorder, children)];
  return {
    seen: (change) => {
      sights(change);
      runs(change);
      families(change);
    },
    done: deedsOf(recorder, children),
    heard: (event) => recorder.write(`${event.service ?? ''}.events`, eventLetter(event)),
    alerted: (service, cause) => recorder.write(`${nameOf(service)}.alerts`, ALERTS[cause]),
    told: (fact, { spec }) => recorder.write(fact, spec.name.charAt(0)),
  };
};
