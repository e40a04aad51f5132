// Plays a marble story: posts what its input lanes tell, and brings back what came out of the supervisor in the notation
// of the story.
import { VirtualAction, VirtualTimeScheduler } from 'rxjs';
import type { Command } from '../../../src/streams/domain/command.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { Unbegun } from '../../../src/streams/domain/handed-commands.ts';
import {
  instanceId,
  nameOf,
  requestId,
  runId,
  serviceId,
  type ServiceId,
} from '../../../src/streams/domain/ids.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { serviceAt, servicesOf } from '../../../src/streams/kernel/service-table.ts';
import type { SupervisorState } from '../../../src/streams/kernel/state.ts';
import { startsIn } from '../../../src/streams/upgrade/divide-starts.ts';
import { SHOP } from '../spec.ts';
import { CLOCK, COMMANDS, COUNTS, meaningOf, SECOND, SIGNALS, UPGRADES } from './alphabet.ts';
import { Children, isChildLane, serviceOfLane } from './children.ts';
import { Recorder } from './recorder.ts';
import { stageOf, type Stage } from './stage.ts';
import { complain, type Lane, type Story, type Tick } from './story.ts';
import { checkLanes, tellerOf } from './telling.ts';

export interface Played {
  /** What came out in each output lane of the story. */
  readonly lanes: ReadonlyMap<string, readonly Tick[]>;
  /** Every state that the supervisor was in. */
  readonly states: readonly SupervisorState[];
  /** What was told and changed nothing: only news that comes late does. */
  readonly unheeded: readonly string[];
}

const HOUR = 3_600_000;

const commandOf = (letter: string, service: ServiceId | undefined): Command | undefined => {
  const type = meaningOf(COMMANDS, letter);
  if (type === undefined || type === 'shutdown') return type && { type };
  return { type, selection: service ? { services: [service] } : {} };
};

const requested = (letter: string, turn: number, command: Command): Event => ({
  ...{ type: 'requested', request: requestId(`${turn}${letter}`), command },
});

/** What a letter of an input lane brings about. */
const happening = (letter: string, on: { turn: number; service?: ServiceId }): Event | undefined => {
  const command = commandOf(letter, on.service);
  if (command) return requested(letter, on.turn, command);
  const signal = meaningOf(SIGNALS, letter);
  return signal && { type: 'signalled', signal };
};

const serviceOf = ({ states }: Stage, name: string): Service | undefined => {
  const serviceTable = states.at(-1)?.serviceTable;
  return serviceTable && serviceAt(serviceTable, serviceId(SHOP, name));
};

/** The same in the lane of a child: it is asked for, or something happens to it. */
const ofChild = (
  stage: Stage,
  children: Children,
  [lane, letter]: readonly [lane: string, letter: string],
): readonly Event[] | undefined => {
  const service = serviceOf(stage, serviceOfLane(lane));
  if (service === undefined) return undefined;
  const asked = children.asked(service, lane, { letter, turn: stage.states.length });
  if (asked !== undefined) return asked;
  const child = children.inLane(service, lane);
  return child === undefined ? [] : stage.world.events(child, letter);
};

/** The next program receives the state, and the runs that had not begun to start. */
const upgraded = (state: SupervisorState): Event => {
  const restored = servicesOf(state.serviceTable);
  const { unbegun } = startsIn(state, [], restored.flatMap(spawning));
  return {
    type: 'booted',
    ...{ settings: state.settings, restored, unbegun, warnings: [] },
    ...{ registered: [], found: [], sameBoot: true, continued: true },
  };
};

/** The next supervisor finds no live process; the lanes say how each ended. */
const begunAnew = ({ settings, serviceTable }: SupervisorState): Event => ({
  type: 'booted',
  ...{
    settings,
    restored: servicesOf(serviceTable),
    warnings: [],
    registered: [],
    found: [],
    sameBoot: true,
  },
});

const spawning = ({ spec, runs, children = [] }: Service): readonly Unbegun[] =>
  [runId(runs), ...children.map(({ run }) => run)].map((run) => ({ service: spec.id, run }));

/** The same in the lane of the other run of a rollout. */
const ofOther = (stage: Stage, lane: string, letter: string): readonly Event[] | undefined => {
  const first = serviceOf(stage, lane.slice(0, -SECOND.length));
  return first && stage.world.ofOther(first, letter);
};

/** The same in `cli`: about everything. */
const ofCli = ({ states }: Stage, letter: string): readonly Event[] | undefined => {
  const last = states.at(-1);
  if (last !== undefined && Object.hasOwn(UPGRADES, letter))
    return [letter === 'X' ? begunAnew(last) : upgraded(last)];
  const event = happening(letter, { turn: states.length });
  return event && [event];
};

const ofService = (
  { states, world }: Stage,
  service: Service,
  letter: string,
): readonly Event[] | undefined => {
  const event = happening(letter, { turn: states.length, service: service.spec.id });
  return event === undefined ? world.events(service, letter) : [event];
};

/** The same in the lane of a service with `replicas`: a command about all instances, or how many there are to be. */
const ofInstances = (stage: Stage, lane: string, letter: string): readonly Event[] | undefined => {
  const service = serviceId(SHOP, lane);
  if (serviceOf(stage, nameOf(instanceId(service, 1))) === undefined) return undefined;
  const [replicas, turn] = [meaningOf<number>(COUNTS, letter), stage.states.length];
  if (replicas !== undefined)
    return [requested(letter, turn, { type: 'scale', counts: [{ service, replicas }] })];
  const event = happening(letter, { turn, service });
  return event && [event];
};

/** The events of a letter; `undefined` if the lane does not know it. */
const eventsOf = (
  stage: Stage,
  children: Children,
  [lane, letter]: readonly [lane: string, letter: string],
): readonly Event[] | undefined => {
  if (isChildLane(lane)) return ofChild(stage, children, [lane, letter]);
  if (lane.endsWith(SECOND)) return ofOther(stage, lane, letter);
  if (lane === 'cli') return ofCli(stage, letter);
  const service = serviceOf(stage, lane);
  return service ? ofService(stage, service, letter) : ofInstances(stage, lane, letter);
};

/** Puts everything that a lane tells on the agenda. */
const schedule = (lane: Lane, scheduler: VirtualTimeScheduler, happen: (letter: string) => void): void => {
  if (lane.direction === 'out') return;
  for (const { at, labels } of lane.ticks)
    for (const letter of labels) scheduler.schedule(() => happen(letter), at);
};

export const play = (story: Story): Played => {
  checkLanes(story);
  const scheduler = new VirtualTimeScheduler(VirtualAction, Infinity);
  const recorder = new Recorder(story.lanes, () => ms(scheduler.now()));
  const children = new Children(story);
  const stage = stageOf(story, scheduler, tellerOf(recorder, children));
  const unheeded: string[] = [];
  const clock = (letter: string): readonly Event[] | undefined => {
    const hours = meaningOf<number>(CLOCK, letter);
    if (hours !== undefined) stage.setClock(ms(hours * HOUR));
    return hours === undefined ? undefined : [];
  };
  const happen = ({ name, line }: Lane, letter: string): void => {
    const [before, done] = [stage.states.at(-1), stage.deeds.length];
    const events = name === 'clock' ? clock(letter) : eventsOf(stage, children, [name, letter]);
    if (events === undefined)
      throw complain({ file: story.name, line, column: 1 }, `nobody knows "${letter}" in lane "${name}"`);
    events.forEach(stage.post);
    if (name !== 'clock' && stage.states.at(-1) === before && stage.deeds.length === done)
      unheeded.push(`${name} ${letter} at ${scheduler.now()} ms`);
  };
  story.lanes.forEach((lane) => schedule(lane, scheduler, (letter) => happen(lane, letter)));
  const end = story.columns.reduce((last, { at, span }) => Math.max(last, at + span), 0);
  scheduler.schedule(() => stage.close(), end);
  scheduler.flush();
  return { lanes: recorder.lanes, states: stage.states, unheeded };
};
