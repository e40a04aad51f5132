// A world for property tests: whatever the kernel watches may happen, in any order, at any moment, and nothing else may.
// It keeps its own account of processes, so that it can tell when the kernel is wrong about them.
import { Observable } from 'rxjs';
import type { Command, Reply } from '../../src/streams/domain/command.ts';
import type { Effect } from '../../src/streams/domain/effect.ts';
import type { CommandOutcome, Event, ProbeResult } from '../../src/streams/domain/event.ts';
import type { ExitStatus } from '../../src/streams/domain/service/exit.ts';
import { requestId, runId, type RunId, type ServiceId } from '../../src/streams/domain/ids.ts';
import type { Service } from '../../src/streams/domain/service/service.ts';
import { DEFAULT_SETTINGS } from '../../src/streams/domain/declared/settings.ts';
import type { ServiceSpec } from '../../src/streams/domain/declared/spec.ts';
import { instant, ms, plus } from '../../src/streams/domain/time.ts';
import type { Watch } from '../../src/streams/domain/watch.ts';
import { loopOf } from '../../src/streams/kernel/loop.ts';
import { servicesOf } from '../../src/streams/kernel/roster.ts';
import type { SupervisorState } from '../../src/streams/kernel/state.ts';
import type { Step } from '../../src/streams/kernel/step.ts';
import { emptyWorld } from './empty-world.ts';
import { listen } from './listen.ts';
import { manifestOf } from './spec.ts';

const EXITS: readonly ExitStatus[] = [{ tag: 'code', code: 0 }, { tag: 'code', code: 1 }, { tag: 'unknown' }];
const PROBES: readonly ProbeResult[] = [{ tag: 'passed' }, { tag: 'timed-out' }];
const OUTCOMES: readonly CommandOutcome[] = [
  { tag: 'ended', status: { tag: 'code', code: 0 }, evidence: [] },
  { tag: 'ended', status: { tag: 'code', code: 1 }, evidence: [] },
  { tag: 'over-budget' },
];
const STRAGGLER = { pid: 9_000, startTicks: 9 };

/** What exists of a run, as the world knows it. */
interface Run {
  readonly service: ServiceId;
  readonly run: RunId;
  phase: 'asked' | 'alive' | 'leaderless' | 'gone';
}

export interface RandomWorld {
  readonly state: () => SupervisorState;
  readonly services: () => readonly Service[];
  readonly watches: () => readonly Watch[];
  readonly runs: readonly Run[];
  readonly replies: readonly { readonly request: string; readonly reply: Reply }[];
  readonly asked: readonly string[];
  readonly post: (event: Event) => Step;
  readonly ask: (command: Command) => Step;
  /** All that may happen next, the kindest thing about each watch first. */
  readonly possible: () => readonly Event[];
  /** Lets the kindest things happen until nothing is to happen any more. */
  readonly rest: () => void;
}

const MOST_STEPS_TO_REST = 2_000;

export const randomWorld = (specs: readonly ServiceSpec[], maxConcurrent: number): RandomWorld => {
  let at = instant(0);
  const runs: Run[] = [];
  const replies: { request: string; reply: Reply }[] = [];
  const asked: string[] = [];
  const manifest = manifestOf(...specs);

  const runOf = (service: ServiceId, run: RunId): Run | undefined =>
    runs.find((one) => one.service === service && one.run === run);

  const account = (effect: Effect): void => {
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

  const post = (event: Event): Step => {
    at = plus(at, ms(250));
    happened(event);
    loop.post(event);
    if (stepped === undefined) throw new Error('an event without a step');
    return stepped;
  };

  const services = (): readonly Service[] => servicesOf(read().roster);
  const watches = (): readonly Watch[] => [...open.values()];

  const newsOf = (watch: Watch): readonly Event[] => {
    switch (watch.type) {
      case 'timer':
        return [{ type: 'elapsed', service: watch.service, run: watch.run, timer: watch.timer }];
      case 'exit': {
        const gone = runOf(watch.service, watch.run)?.phase !== 'alive';
        if (gone) return [];
        return EXITS.map((status) => ({ type: 'exited', service: watch.service, run: watch.run, status }));
      }
      case 'tree': {
        const leads = runOf(watch.service, watch.run)?.phase === 'alive';
        const of = { type: 'surveyed', service: watch.service, run: watch.run, evidence: [] } as const;
        const some: Event = { ...of, alive: [leads ? watch.process : STRAGGLER] };
        return leads ? [some] : [{ ...of, alive: [] }, some];
      }
      case 'probe':
        return PROBES.map((result) => ({ type: 'probed', service: watch.service, run: watch.run, result }));
      case 'command': {
        const { service, run, purpose } = watch;
        return OUTCOMES.map((outcome) => ({ type: 'command-ended', service, run, purpose, outcome }));
      }
      case 'alarm':
        return [
          { type: 'rang', service: watch.service, due: watch.due },
          { type: 'clock-stepped', service: watch.service },
        ];
      default:
        return [];
    }
  };
  const spawnNews = ({ spec, runs: count, actual }: Service): readonly Event[] => {
    if (actual.tag !== 'spawning') return [];
    const of = { service: spec.id, run: runId(count) };
    return [
      { ...of, type: 'spawned', process: { pid: 1_000 + count, startTicks: count } },
      { ...of, type: 'spawn-failed', error: { code: 'ERR0113', service: spec.id, detail: 'no' } },
    ];
  };
  const loadNews = (): readonly Event[] =>
    Object.values(read().requests)
      .filter(({ phase }) => phase === 'loading')
      .map(({ id }) => ({
        type: 'manifests-loaded',
        request: id,
        loads: [{ path: manifest.path, manifest, problems: [] }],
      }));
  /** Something about each present watch, the kindest first. */
  const choices = (): readonly (readonly Event[])[] =>
    [...loadNews().map((event) => [event]), ...services().map(spawnNews), ...watches().map(newsOf)].filter(
      (events) => events.length > 0,
    );

  const nextKind = (): Event | undefined =>
    choices()
      .map(([kindest]) => kindest)
      .find((event) => event !== undefined && event.type !== 'rang' && isProgress(event, read()));
  /** Nothing leads anywhere any more: whoever still waits gives up. */
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
    replies,
    asked,
    post,
    ask: (command) => {
      const request = `client:${asked.length}`;
      asked.push(request);
      return post({ type: 'requested', request: requestId(request), command });
    },
    possible: () => choices().flat(),
    rest: () => {
      for (let left = MOST_STEPS_TO_REST; left > 0; left -= 1) {
        const next = nextKind() ?? expiry();
        if (next === undefined) return;
        post(next);
      }
      throw new Error('it does not come to rest');
    },
  };
};

/** A passing probe of what is up, and a timer that only looks back, lead nowhere; neither does the end of what runs well. */
const isProgress = (event: Event, { roster }: SupervisorState): boolean => {
  if (event.type === 'manifests-loaded') return true;
  if (!('service' in event)) return false;
  const service = servicesOf(roster).find(({ spec }) => spec.id === event.service);
  const tag = service?.actual.tag;
  if (event.type === 'exited' || event.type === 'surveyed') return tag === 'stopping';
  return tag !== 'up' && tag !== 'scheduled' && tag !== 'stopping';
};
