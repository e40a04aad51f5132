// The world of a marble story. Spawns succeed at once, a stop signal ends the leader at once, and no process of a
// tree survives its leader, unless a service says otherwise: `world.slow` (the lane has spawns), `world.stubborn`
// (only SIGKILL ends it), `world.messy` (the lane has what is left), `world.says` (what it prints before it ends).
import type { Effect } from '../../../src/streams/domain/effect.ts';
import { isNotifying, watchdogOf } from '../../../src/streams/domain/declared/health-check.ts';
import type { Event, ProbeResult } from '../../../src/streams/domain/event.ts';
import type { SelfReport } from '../../../src/streams/domain/service/service-state.ts';
import type { ExitStatus } from '../../../src/streams/domain/service/exit-status.ts';
import { declaredName, nameOf, runId, type RunId, type ServiceId } from '../../../src/streams/domain/ids.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import type { Run } from '../../../src/streams/domain/service/service-run.ts';
import type { Rollout, Service } from '../../../src/streams/domain/service/service.ts';
import type { TreeWatch } from '../../../src/streams/domain/watch.ts';
import { stepOf } from '../../../src/streams/rollout/rollout-input.ts';
import {
  EXITS,
  FILES,
  LATE,
  meaningOf,
  OUTCOMES,
  PROBES,
  REPORTS,
  SPAWNS,
  SURVEYS,
  WEIGHTS,
} from './alphabet.ts';
import type { Story } from './story.ts';

const SWITCHES: ReadonlySet<string> = new Set(['switching', 'reverting']);
const CHECKS: ReadonlySet<string> = new Set(['verifying', 'confirming']);

export const processOf = (run: RunId): ProcessRef => ({ pid: 1_000 + run, startTicks: run });
const SURVIVOR: ProcessRef = { pid: 7_000, startTicks: 1 };

export interface World {
  /** What a letter in a service's lane says happened to a run; `undefined` for a letter that says nothing. */
  readonly events: (run: Run, letter: string) => readonly Event[] | undefined;
  /** The same of the other run of a rollout, and of what the rollout itself waits for. */
  readonly ofOther: (service: Service, letter: string) => readonly Event[] | undefined;
  /** What an effect brings about by itself. */
  readonly answer: (effect: Effect) => readonly Event[];
  /** What a look at a tree shows: its leader, while it lives. */
  readonly look: (watch: TreeWatch) => readonly Event[];
}

interface OfRun {
  readonly service: ServiceId;
  readonly run: RunId;
}

const spawnEvent = (of: OfRun, outcome: 'spawned' | 'spawn-failed'): Event =>
  outcome === 'spawned'
    ? { ...of, type: 'spawned', process: processOf(of.run) }
    : { ...of, type: 'spawn-failed', error: { code: 'ERR0113', service: of.service, detail: 'not found' } };

/** A ready service with `liveness` is asked by that alone. */
const aliveOf = ({ actual, spec }: Run): { readonly liveness?: true } =>
  actual.tag === 'up' && spec.deployment.healthCheck?.liveness !== undefined ? { liveness: true } : {};

/** True for the first passing result of a service whose check is by `notify`. */
const isReady = ({ actual, spec }: Run, { tag }: ProbeResult): boolean =>
  tag === 'passed' && actual.tag === 'starting' && isNotifying(spec.deployment.healthCheck);

/** A watchdog that gets no answer in time heard nothing. */
const ofWatchdog = ({ spec }: Run, result: ProbeResult): ProbeResult =>
  result.tag === 'timed-out' && watchdogOf(spec.deployment.healthCheck) !== undefined
    ? { tag: 'silent' }
    : result;

export const worldOf = ({ services }: Story): World => {
  const trait = (id: ServiceId, name: string): string | undefined =>
    services.find((service) => service.name === declaredName(nameOf(id)))?.options[`world.${name}`];
  const is = (id: ServiceId, name: string): boolean => trait(id, name) === 'true';

  const survey = (of: OfRun, alive: readonly ProcessRef[]): Extract<Event, { type: 'surveyed' }> => {
    const says = trait(of.service, 'says');
    return { ...of, type: 'surveyed', alive, evidence: says === undefined ? [] : [says] };
  };
  const over = new Set<string>();
  const nameOfRun = ({ service, run }: OfRun): string => `${service}#${run}`;
  const exit = (of: OfRun, status: ExitStatus): readonly Event[] => {
    over.add(nameOfRun(of));
    const exited: Event = { ...of, type: 'exited', status };
    return is(of.service, 'messy') ? [exited] : [exited, survey(of, [])];
  };

  /** One reader for each alphabet of a service's lane. */
  const readers: readonly ((service: Run, letter: string) => readonly Event[] | undefined)[] = [
    (service, letter) => {
      const status = meaningOf<ExitStatus>(EXITS, letter);
      return status && exit(present(service), status);
    },
    (service, letter) => {
      const spawn = meaningOf(SPAWNS, letter);
      return spawn && [spawnEvent(present(service), spawn)];
    },
    (service, letter) => {
      const left = meaningOf(SURVEYS, letter);
      if (left === undefined) return undefined;
      const seen = survey(present(service), left === 'nobody' ? [] : [SURVIVOR]);
      return [left === 'daemon' ? { ...seen, elsewhere: [{ pid: SURVIVOR.pid, name: 'nginx' }] } : seen];
    },
    (service, letter) => {
      const outcome = meaningOf(OUTCOMES, letter);
      const { actual } = service;
      const before = actual.tag === 'preparing' ? actual.step : 'pre_start';
      const purpose = actual.tag === 'stopping' ? 'stop' : before;
      return outcome && [{ ...present(service), type: 'command-ended', purpose, outcome }];
    },
    (service, letter) => {
      const result = meaningOf(PROBES, letter);
      if (result === undefined) return undefined;
      if (isReady(service, result))
        return [{ ...present(service), type: 'notified', report: { ready: true } }];
      return [
        { ...present(service), type: 'probed', result: ofWatchdog(service, result), ...aliveOf(service) },
      ];
    },
    (service, letter) => {
      const report = meaningOf<SelfReport>(REPORTS, letter);
      return report && [{ ...present(service), type: 'notified', report }];
    },
    (service, letter) => {
      const bytes = meaningOf<number>(WEIGHTS, letter);
      return bytes === undefined
        ? undefined
        : [
            {
              ...present(service),
              type: service.spec.maxMemory === undefined ? 'weighed' : 'measured',
              bytes,
            },
          ];
    },
    ({ spec }, letter) => {
      const file = meaningOf<string>(FILES, letter);
      return file === undefined ? undefined : [{ service: spec.id, type: 'changed', file }];
    },
    (service, letter) => {
      const late = { service: service.spec.id, run: runId(service.runs - 1) };
      return meaningOf(LATE, letter) && exit(late, EXITS.x);
    },
  ];

  const events: World['events'] = (service, letter) => {
    for (const reader of readers) {
      const told = reader(service, letter);
      if (told !== undefined) return told;
    }
    return undefined;
  };

  const ofRollout = (rollout: Rollout, letter: string): readonly Event[] | undefined => {
    const of = present(rollout.other);
    const [outcome, result] = [meaningOf(OUTCOMES, letter), meaningOf(PROBES, letter)];
    if (outcome && SWITCHES.has(stepOf(rollout)))
      return [{ ...of, type: 'command-ended', purpose: 'switch', outcome }];
    return result && CHECKS.has(stepOf(rollout)) ? [{ ...of, type: 'verified', result }] : undefined;
  };
  const ofOther: World['ofOther'] = ({ rollout }, letter) =>
    rollout && (ofRollout(rollout, letter) ?? events(rollout.other, letter));

  const answer: World['answer'] = (effect) => {
    if (effect.type === 'spawn' && !is(effect.service, 'slow')) return [spawnEvent(of(effect), 'spawned')];
    if (effect.type !== 'signal') return [];
    if (effect.signal !== 'SIGKILL' && is(effect.service, 'stubborn')) return [];
    return exit(of(effect), { tag: 'signal', signal: effect.signal });
  };

  const look: World['look'] = (watch) =>
    over.has(nameOfRun(watch)) ? [] : [survey(of(watch), [watch.process])];

  return { events, ofOther, answer, look };
};

const of = ({ service, run }: OfRun): OfRun => ({ service, run });
const present = ({ spec, runs }: Run): OfRun => ({ service: spec.id, run: runId(runs) });
