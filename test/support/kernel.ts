// The kernel without a world: events in, and what became of the services and what was asked of the world out.
import type { Command, Reply } from '../../src/streams/domain/command.ts';
import type { Effect, EffectOf } from '../../src/streams/domain/effect.ts';
import type { Event } from '../../src/streams/domain/event.ts';
import { requestId, runId, type ServiceId } from '../../src/streams/domain/ids.ts';
import type { Manifest, Problem } from '../../src/streams/domain/declared/manifest.ts';
import type { Service } from '../../src/streams/domain/service/service.ts';
import type { ServiceSpec } from '../../src/streams/domain/declared/spec.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/streams/domain/declared/settings.ts';
import { instant, ms, plus, type Instant } from '../../src/streams/domain/time.ts';
import { loopOf } from '../../src/streams/kernel/loop.ts';
import { serviceAt } from '../../src/streams/kernel/service-table.ts';
import { INITIAL_STATE, type SupervisorState } from '../../src/streams/kernel/state.ts';
import { emptyWorld } from './empty-world.ts';
import { listen } from './listen.ts';
import { idOf, manifestOf } from './spec.ts';

const FIRST_PID = 1_000;

export interface Kernel {
  readonly state: () => SupervisorState;
  readonly service: (name: string) => Service;
  /** The tag of a service's state. */
  readonly tag: (name: string) => Service['actual']['tag'];
  readonly tags: (...names: readonly string[]) => readonly string[];
  /** All effects since the last call. */
  readonly drain: () => readonly Effect[];
  readonly replies: () => readonly Reply[];
  readonly post: (event: Event) => void;
  /** Lets time go by. */
  readonly pass: (length: number) => void;
  readonly ask: (command: Command) => string;
  /** `start` of everything in the manifest, read from where it lies. */
  readonly start: (...specs: readonly ServiceSpec[]) => string;
  readonly load: (request: string, manifest: Manifest, problems?: readonly Problem[]) => void;
  /** The process of the present run exists. */
  readonly spawned: (name: string) => void;
  /** It exists and has been alive long enough. */
  readonly up: (...names: readonly string[]) => void;
  /** The leader exited, and no process of its tree is left. */
  readonly exit: (name: string, code: number) => void;
  readonly gone: (name: string) => void;
}

const processOf = (run: number): { pid: number; startTicks: number } => ({
  pid: FIRST_PID + run,
  startTicks: run,
});

export const kernel = (settings: Partial<Settings> = {}, from: SupervisorState = INITIAL_STATE): Kernel => {
  let at: Instant = instant(0);
  let asked = 0;
  let effects: Effect[] = [];
  const loop = loopOf({ now: () => at }, from);
  listen(loop.run(emptyWorld((effect) => effects.push(effect))));
  const { post, read } = loop;
  listen(loop.derived.quit$, (effect) => effects.push(effect));
  const find = (id: ServiceId): Service => {
    const service = serviceAt(read().serviceTable, id);
    if (service === undefined) throw new Error(`no ${id}`);
    return service;
  };
  const service = (name: string): Service => find(idOf(name));
  const run = (name: string): { service: ServiceId; run: ReturnType<typeof runId> } => ({
    service: idOf(name),
    run: runId(service(name).runs),
  });
  const ask = (command: Command): string => {
    const request = `client:${(asked += 1)}`;
    post({ type: 'requested', request: requestId(request), command });
    return request;
  };
  const load = (request: string, manifest: Manifest, problems: readonly Problem[] = []): void =>
    post({
      type: 'manifests-loaded',
      request: requestId(request),
      loads: [{ path: manifest.path, manifest, problems }],
    });
  const spawned = (name: string): void =>
    post({ ...run(name), type: 'spawned', process: processOf(service(name).runs) });
  const gone = (name: string): void => post({ ...run(name), type: 'surveyed', alive: [], evidence: [] });
  post({
    type: 'booted',
    settings: { ...DEFAULT_SETTINGS, ...settings },
    registered: [],
    restored: [],
    found: [],
    sameBoot: true,
    warnings: [],
  });
  return {
    state: read,
    service,
    tag: (name) => service(name).actual.tag,
    tags: (...names) => names.map((name) => service(name).actual.tag),
    drain: () => {
      const drained = effects;
      effects = [];
      return drained;
    },
    replies: () =>
      effects
        .filter((effect): effect is EffectOf<'reply'> => effect.type === 'reply')
        .map(({ reply }) => reply),
    post,
    pass: (length) => {
      at = plus(at, ms(length));
    },
    ask,
    start: (...specs) => {
      const request = ask({ type: 'start', selection: { manifest: '/shop/sup.yaml' } });
      load(request, manifestOf(...specs));
      return request;
    },
    load,
    spawned,
    up: (...names) => {
      for (const name of names) {
        spawned(name);
        post({ ...run(name), type: 'elapsed', timer: 'stability' });
      }
    },
    exit: (name, code) => {
      post({ ...run(name), type: 'exited', status: { tag: 'code', code } });
      gone(name);
    },
    gone,
  };
};
