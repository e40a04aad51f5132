// A world for property tests: whatever the kernel watches may happen, in any order, at any moment, and nothing else may.
// It keeps its own account of processes, so that it can tell when the kernel is wrong about them.
import { Observable } from 'rxjs';
import type { Command, Reply } from '../../../src/streams/domain/command.ts';
import type { Effect, EffectOf } from '../../../src/streams/domain/effect.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import { requestId, type RunId, type ServiceId } from '../../../src/streams/domain/ids.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';
import type { Manifest } from '../../../src/streams/domain/declared/manifest.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { instant, ms, plus } from '../../../src/streams/domain/time.ts';
import type { Watch } from '../../../src/streams/domain/watch.ts';
import { loopOf } from '../../../src/streams/kernel/loop.ts';
import { servicesOf } from '../../../src/streams/kernel/service-table.ts';
import type { SupervisorState } from '../../../src/streams/kernel/state.ts';
import type { Step } from '../../../src/streams/kernel/step.ts';
import { emptyWorld } from '../empty-world.ts';
import { listen } from '../listen.ts';
import { manifestOf } from '../spec.ts';
import { newsOf, spawnNews, type Run } from './news.ts';
import { isProgress } from './progress.ts';
import { redeclared } from './redeclared.ts';

export interface RandomWorld {
  readonly state: () => SupervisorState;
  readonly services: () => readonly Service[];
  readonly watches: () => readonly Watch[];
  readonly runs: readonly Run[];
  /** What `state_path` tells. */
  readonly slots: ReadonlyMap<ServiceId, string>;
  /** In the order in which they were sent. */
  readonly signalled: readonly EffectOf<'signal'>[];
  readonly replies: readonly { readonly request: string; readonly reply: Reply }[];
  readonly asked: readonly string[];
  readonly post: (event: Event) => Step;
  readonly ask: (command: Command) => Step;
  /** All that may happen next, the kindest thing about each watch first. */
  readonly possible: () => readonly Event[];
  /** Of these the kindest about each watch, where it leads on. */
  readonly kindest: () => readonly Event[];
  /** Lets the kindest things happen until nothing is to happen any more. */
  readonly rest: () => void;
}

const MOST_STEPS_TO_REST = 2_000;

export const randomWorld = (specs: readonly ServiceSpec[], maxConcurrent: number): RandomWorld => {
  let at = instant(0);
  const runs: Run[] = [];
  const signalled: EffectOf<'signal'>[] = [];
  const slots = new Map<ServiceId, string>();
  const replies: { request: string; reply: Reply }[] = [];
  const asked: string[] = [];
  const manifest = manifestOf(...specs);
  let edits = 0;
  const edited = (): Manifest => {
    edits += 1;
    return manifestOf(...redeclared(specs, edits));
  };

  const runOf = (service: ServiceId, run: RunId): Run | undefined =>
    runs.find((one) => one.service === service && one.run === run);

  const account = (effect: Effect): void => {
    if (effect.type === 'signal') signalled.push(effect);
    if (effect.type === 'keep-slot') slots.set(effect.service, effect.slot);
    if (effect.type === 'spawn') runs.push({ service: effect.service, run: effect.run, phase: 'asked' });
    if (effect.type === 'reply') replies.push({ request: effect.request, reply: effect.reply });
  };
  const happened = (event: Event): void => {
    if (event.type !== 'spawned' && event.type !== 'spawn-failed' && event.type !== 'exited') {
      if (event.type !== 'surveyed' || event.alive.length > 0) return;
    }
    const run = runOf(event.service, event.run);
    if (run === undefined) return;
    const phases = {
      spawned: 'alive',
      'spawn-failed': 'gone',
      exited: 'leaderless',
      surveyed: 'gone',
    } as const;
    run.phase = phases[event.type];
  };

  const open = new Map<string, Watch>();
  const loop = loopOf({ now: () => at });
  let stepped: Step | undefined;
  const { read } = loop;
  listen(loop.derived.step$, (step) => (stepped = step));
  listen(
    loop.run({
      ...emptyWorld(account),
      open(watch) {
        return new Observable(() => {
          open.set(watch.key, watch);
          return () => open.delete(watch.key);
        });
      },
    }),
  );

  /** A service that is declared again is a new one: nothing may be left of the previous one. */
  const forgetWhoLeft = (): void => {
    const there = new Set(services().map(({ spec }) => spec.id));
    const left = runs.filter(({ service }) => !there.has(service));
    const alive = left.find(({ phase }) => phase !== 'gone');
    if (alive !== undefined)
      throw new Error(`${alive.service}#${alive.run} is ${alive.phase}, and nobody knows it`);
    runs.splice(0, runs.length, ...runs.filter(({ service }) => there.has(service)));
  };

  const post = (event: Event): Step => {
    at = plus(at, ms(250));
    happened(event);
    loop.post(event);
    if (stepped === undefined) throw new Error('an event without a step');
    forgetWhoLeft();
    return stepped;
  };

  const services = (): readonly Service[] => servicesOf(read().serviceTable);
  const watches = (): readonly Watch[] => [...open.values()];

  /** Of two readings of the manifest, the kinder one finds nothing new. */
  const loadNews = (): readonly (readonly Event[])[] =>
    Object.values(read().requests)
      .filter(({ phase }) => phase === 'loading')
      .map(({ id }) =>
        [manifest, edited()].map((found) => ({
          type: 'manifests-loaded',
          request: id,
          loads: [{ path: manifest.path, manifest: found, problems: [] }],
        })),
      );
  /** Something about each present watch, the kindest first. */
  const choices = (): readonly (readonly Event[])[] =>
    [
      ...loadNews(),
      ...services().flatMap(spawnNews),
      ...watches().map((watch) => newsOf(watch, runOf)),
    ].filter((events) => events.length > 0);

  const kindest = (): readonly Event[] =>
    choices()
      .flatMap(([kind]) => kind ?? [])
      .filter((event) => event.type !== 'rang' && isProgress(event, read()));
  /** If no other event is possible, waiting commands expire. */
  const expiry = (): Event | undefined => {
    const waiting = Object.values(read().requests).find(({ deadline }) => deadline !== undefined);
    return waiting && { type: 'request-expired', request: waiting.id };
  };

  post({
    type: 'booted',
    settings: { ...DEFAULT_SETTINGS, maxConcurrent },
    registered: [{ path: manifest.path, load: { path: manifest.path, manifest, problems: [] } }],
    restored: [],
    found: [],
    sameBoot: true,
    warnings: [],
  });
  return {
    state: read,
    services,
    watches,
    runs,
    signalled,
    slots,
    replies,
    asked,
    post,
    ask: (command) => {
      const request = `client:${asked.length}`;
      asked.push(request);
      return post({ type: 'requested', request: requestId(request), command });
    },
    possible: () => choices().flat(),
    kindest,
    rest: () => {
      for (let left = MOST_STEPS_TO_REST; left > 0; left -= 1) {
        const next = kindest()[0] ?? expiry();
        if (next === undefined) return;
        post(next);
      }
      throw new Error('it does not come to rest');
    },
  };
};
