// Takes samples in process scans and answers queries for them. Scans run while a service runs; samples are
// kept within a cap and spilled if configured. They are not part of the state.
import {
  defer,
  ignoreElements,
  map,
  merge,
  of,
  share,
  startWith,
  takeUntil,
  tap,
  type Observable,
} from 'rxjs';
import { spill } from '../../sinks/metrics/spill.ts';
import type { Measures } from '../../sinks/control/client-answers.ts';
import type { TakeLook } from '../../sources/metrics/tree-looks.ts';
import { machineUptime, wallClock } from '../../sources/clocks.ts';
import { DEFAULT_METRICS, DEFAULT_STATUS, type MetricsSpec } from '../../streams/domain/declared/manifest.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import { sameProcess } from '../../streams/domain/service/process.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { seconds, type Ms } from '../../streams/domain/time.ts';
import type { Derived } from '../../streams/kernel/derived/derived.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';
import { type Demand, loopLag, type LoopLag, scansOnDemand } from '../../streams/metrics/scans.ts';
import { diskPlace } from '../../streams/metrics/segments.ts';
import { sampleMemory, type SampleMemory } from '../../streams/metrics/sample-memory.ts';
import { numberUpdates } from '../../streams/metrics/number-updates.ts';
import { beatsOf, type Beat, type TreeScan, type Sample } from '../../streams/metrics/sample.ts';
import { sampledRuns, type SampledRuns } from '../../streams/metrics/sampled-runs.ts';
import { spilling } from '../../streams/metrics/spilling.ts';
import { pointsIn } from '../../streams/metrics/bucket.ts';
import { MOST_POINTS } from '../../streams/views/samples-document.ts';

interface SamplingPorts {
  readonly derived: Pick<Derived, 'service$' | 'state$' | 'quit$'>;
  readonly read: () => SupervisorState;
  readonly take: TakeLook;
  readonly onTrouble: (text: string) => void;
}

export interface Sampling {
  /** Returns the sample of the current process; `undefined` if there is none or sampling is off. */
  readonly of: (service: Service) => Sample | undefined;
  readonly samples: Measures['samples'];
  readonly memory: Pick<SampleMemory, 'bytes'>;
  readonly late: LoopLag;
  /** Services with new numbers, or with none any more, at the pace of updates for viewers. */
  readonly refreshed$: Observable<ServiceId>;
  /** Settles when spilled samples are on disk, if they can be. */
  readonly flush: () => Promise<void>;
  /** Samples while it is subscribed. Never emits. */
  readonly run$: Observable<never>;
}

const metricsIn = ({ metrics = DEFAULT_METRICS }: SupervisorState): typeof metrics => metrics;
const intervalIn = (state: SupervisorState): Ms => seconds(metricsIn(state).sampleIntervalSecs);
const statusIn = ({ status = DEFAULT_STATUS }: SupervisorState): typeof status => status;
const isOff = (state: SupervisorState): boolean => statusIn(state).snapshotMode === 'off';

/** Drops the sample of a process that is gone. */
const presentSample = (sample: Sample | undefined, { actual }: Service): Sample | undefined =>
  sample !== undefined && 'process' in actual && sameProcess(actual.process, sample.leader)
    ? sample
    : undefined;

const answersFrom =
  (memory: SampleMemory, limits: () => MetricsSpec): Measures['samples'] =>
  (ids, since) => {
    const window = { since, until: wallClock.now() };
    return {
      now: window.until,
      spillover: diskPlace(limits())?.directory ?? null,
      services: ids.map((id) => ({ id, points: pointsIn(memory.since(id, since), window, MOST_POINTS) })),
    };
  };

/** Follows which runs exist, and drops the samples of removed services. */
function followed(
  { service$ }: SamplingPorts['derived'],
  { runs, memory }: { readonly runs: SampledRuns; readonly memory: SampleMemory },
): Observable<never> {
  return service$.pipe(
    tap((change) => {
      runs.follow(change);
      if (change.service === undefined) memory.drop(change.id);
    }),
    ignoreElements(),
  );
}

/** Refreshes viewers by the mode and the interval of the current state. */
function refreshed(
  { derived, read }: Pick<SamplingPorts, 'derived' | 'read'>,
  { beat$, runs }: { readonly beat$: Observable<Beat>; readonly runs: SampledRuns },
): Observable<ServiceId> {
  const off$ = defer(() => derived.state$.pipe(startWith(read()), map(isOff)));
  return numberUpdates(off$, {
    beat$,
    interval: () => seconds(statusIn(read()).snapshotIntervalSecs),
    running: () => runs.list().map(({ service }) => service),
  });
}

/**
 * Scans once per `metrics` interval while a service runs and `status` wants it. `onTrouble`: spill problems.
 */
export const sampling = ({ derived, read, take, onTrouble }: SamplingPorts): Sampling => {
  const runs = sampledRuns();
  const memory = sampleMemory(metricsIn(read()));
  const late = loopLag();
  let latest: ReadonlyMap<ServiceId, Sample> = new Map();
  let limits = metricsIn(read());

  const followState = (state: SupervisorState): Demand => {
    if (metricsIn(state) !== limits) {
      limits = metricsIn(state);
      memory.limit(limits);
    }
    const wanted = !runs.isEmpty() && !isOff(state);
    if (!wanted) late.paused();
    if (isOff(state)) latest = new Map();
    return { wanted, interval: intervalIn(state) };
  };
  const look = (): TreeScan => {
    late.looked(machineUptime(), intervalIn(read()));
    return take(runs.list());
  };
  const keep = (beat: Beat): void => {
    latest = new Map(beat.samples.map((sample) => [sample.service, sample]));
    memory.add(beat);
  };
  const beat$ = scansOnDemand(derived.state$.pipe(map(followState)), {
    take: () => defer(() => of(look())),
    compare: (look$: Observable<TreeScan>) => beatsOf(look$),
  }).pipe(tap(keep), share());
  const due$ = spilling(beat$.pipe(takeUntil(derived.quit$)));
  const { run$: spilled$, flush } = spill(due$, { place: () => diskPlace(limits), onTrouble });

  return {
    of: (service) => (isOff(read()) ? undefined : presentSample(latest.get(service.spec.id), service)),
    samples: answersFrom(memory, () => limits),
    ...{ memory, late, flush },
    refreshed$: refreshed({ derived, read }, { beat$, runs }),
    run$: merge(followed(derived, { runs, memory }), spilled$),
  };
};
