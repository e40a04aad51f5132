// What may happen next about a watch, or to a process that was asked for; the kindest first.
import type { CommandOutcome, Event, ProbeResult } from '../../../src/streams/domain/event.ts';
import { runId, type RunId, type ServiceId } from '../../../src/streams/domain/ids.ts';
import type { ExitStatus } from '../../../src/streams/domain/service/exit-status.ts';
import { runsOf } from '../../../src/streams/domain/service/runs-of.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import type { Watch } from '../../../src/streams/domain/watch.ts';

const EXITS: readonly ExitStatus[] = [{ tag: 'code', code: 0 }, { tag: 'code', code: 1 }, { tag: 'unknown' }];
const PROBES: readonly ProbeResult[] = [{ tag: 'passed' }, { tag: 'timed-out' }];
const OUTCOMES: readonly CommandOutcome[] = [
  { tag: 'ended', status: { tag: 'code', code: 0 }, evidence: [] },
  { tag: 'ended', status: { tag: 'code', code: 1 }, evidence: [] },
  { tag: 'over-budget' },
];
const STRAGGLER = { pid: 9_000, startTicks: 9 };

/** What exists of a run, as the world knows it. */
export interface Run {
  readonly service: ServiceId;
  readonly run: RunId;
  phase: 'asked' | 'alive' | 'leaderless' | 'gone';
}

export type RunOf = (service: ServiceId, run: RunId) => Run | undefined;

export const newsOf = (watch: Watch, runOf: RunOf): readonly Event[] => {
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
    case 'verify':
      return PROBES.map((result) => ({ type: 'verified', service: watch.service, run: watch.run, result }));
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

const ofSpawning = ({
  spec,
  runs: count,
  actual,
}: Pick<Service, 'spec' | 'runs' | 'actual'>): readonly Event[] => {
  if (actual.tag !== 'spawning') return [];
  const of = { service: spec.id, run: runId(count) };
  return [
    { ...of, type: 'spawned', process: { pid: 1_000 + count, startTicks: count } },
    { ...of, type: 'spawn-failed', error: { code: 'ERR0113', service: spec.id, detail: 'no' } },
  ];
};

/** Of one of its runs at a time. */
export const spawnNews = (service: Service): readonly (readonly Event[])[] => runsOf(service).map(ofSpawning);
