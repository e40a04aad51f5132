// Children of services in a story. `web/a` is the lane of what the service asks for as `a`, `web/a/b` of what that asks for
// as `b`; which run each of them is shows when it is begun.
import type { EffectOf } from '../../../src/streams/domain/effect.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import { nameOf, requestId, type RunId } from '../../../src/streams/domain/ids.ts';
import type { Child } from '../../../src/streams/domain/service/child.ts';
import type { Run } from '../../../src/streams/domain/service/service-run.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { childOf } from '../../../src/streams/children/family.ts';
import { asRun } from '../../../src/streams/children/child-as-run.ts';
import { presentRun } from '../../../src/streams/service/service-input.ts';
import { NURSERY, stateLetter } from './alphabet.ts';
import { durationOf } from './duration.ts';
import type { Story } from './story.ts';
import { ancestor, shown } from '../nursery.ts';
import { processOf } from './world.ts';

const ASKER = ancestor({ pid: 8_000, startTicks: 8 });

const above = (lane: string): string => lane.slice(0, lane.lastIndexOf('/'));
const lastOf = (lane: string): string => lane.slice(lane.lastIndexOf('/') + 1);

/** No child of that name exists. */
export const NOBODY = '.';

export const isChildLane = (lane: string): boolean => lane.includes('/');
export const serviceOfLane = (lane: string): string => lane.split('/')[0] ?? '';

export class Children {
  readonly #services: Story['services'];
  readonly #runs = new Map<string, RunId>();
  /** Whose spawn comes next. */
  #asking = '';

  constructor({ services }: Pick<Story, 'services'>) {
    this.#services = services;
  }

  /** Lanes of the service's children that have begun. */
  lanesOf({ spec }: Service): readonly string[] {
    return [...this.#runs.keys()].filter((lane) => serviceOfLane(lane) === spec.name);
  }

  /** A new child is the one that was requested last. */
  meet(service: Service): void {
    const met = new Set(this.#runs.values());
    for (const { run } of service.children ?? []) if (!met.has(run)) this.#runs.set(this.#asking, run);
  }

  /** The child of that lane, while it lives. */
  childIn(service: Service, lane: string): Child | undefined {
    const run = this.#runs.get(lane);
    return run === undefined ? undefined : childOf(service, run);
  }

  /** The same as the table takes it. */
  inLane(service: Service, lane: string): Run | undefined {
    const child = this.childIn(service, lane);
    return child && asRun(service, child);
  }

  /** The service, or its child `above`, asks for it; `undefined` for another letter. */
  asked(
    service: Service,
    lane: string,
    { letter, turn }: { letter: string; turn: number },
  ): readonly Event[] | undefined {
    if (!Object.hasOwn(NURSERY, letter)) return undefined;
    this.#asking = lane;
    const ttl = this.#services.find(({ name }) => name === service.spec.name)?.options['world.ttl'];
    const span = ttl === undefined ? undefined : durationOf(ttl);
    const order = { name: lastOf(lane), argv: ['work'], ...(span !== undefined && { ttl: span }) };
    const request = requestId(`${turn}${lane}`);
    const parent = this.#runs.get(above(lane)) ?? presentRun(service);
    const line = [ASKER, ancestor(processOf(parent))];
    return [
      { type: 'requested', request, command: { type: 'spawn', order } },
      { type: 'traced', request, ancestry: shown(line) },
    ];
  }

  /** The lane to which an effect belongs. */
  laneOf(effect: EffectOf<'spawn' | 'signal'>): string {
    const service = nameOf(effect.service);
    const lanes = [...this.#runs].filter(([lane]) => serviceOfLane(lane) === service);
    return lanes.find(([, run]) => run === effect.run)?.[0] ?? service;
  }

  /** What is seen of a child, and the letters it is drawn with. */
  sight(service: Service, lane: string): Readonly<Record<'state' | 'parent', string>> {
    const child = this.childIn(service, lane);
    if (child === undefined) return { state: NOBODY, parent: NOBODY };
    return { state: stateLetter(asRun(service, child)), parent: this.#parentOf(service, child) };
  }

  /** Its first letter. */
  #parentOf({ spec }: Service, { parent }: Child): string {
    if (parent === 'nobody') return NOBODY;
    const lane = [...this.#runs].find(
      ([one, run]) => run === parent && serviceOfLane(one) === spec.name,
    )?.[0];
    return (lane === undefined ? spec.name : lastOf(lane)).charAt(0);
  }
}
