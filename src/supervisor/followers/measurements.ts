// Measures values that are not part of the state: CPU time and memory of process trees, duration of probes,
// disk space of logs, and values of the supervisor itself. Samples are kept in memory up to a limit. If
// configured, older samples are written to disk ("spilled").
import {
  defer,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  share,
  startWith,
  takeUntil,
  tap,
} from 'rxjs';
import type { Measures } from '../../sinks/control/client-answers.ts';
import { spill } from '../../sinks/metrics/write-samples.ts';
import { machineUptime, wallClock } from '../../sources/clocks.ts';
import { logBytes } from '../../sources/logs/log-files.ts';
import { type TakeScan, treeScans } from '../../sources/metrics/tree-scans.ts';
import { type MetricsSpec, DEFAULT_METRICS, DEFAULT_STATUS } from '../../streams/domain/declared/manifest.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import { sameProcess } from '../../streams/domain/service/process.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { ms, type Ms, seconds } from '../../streams/domain/time.ts';
import type { Derived } from '../../streams/kernel/after-step/step-streams.ts';
import type { Loop } from '../../streams/kernel/loop.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';
import { type Beat, beatsOf, type Sample, type TreeScan } from '../../streams/metrics/sample.ts';
import { sampledRuns, type SampledRuns } from '../../streams/metrics/sampled-runs.ts';
import { spilling } from '../../streams/metrics/spilling.ts';
import { guarded } from '../../streams/operators/guarded.ts';
import { type Measured, metricsDocument } from '../../streams/views/metrics-document.ts';
import { MOST_POINTS } from '../../streams/views/samples-document.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { type SampleMemory, sampleMemory } from '../../streams/metrics/sample-memory.ts';
import { type LoopLag, loopLag, type Demand, scansOnDemand } from '../../streams/metrics/scans.ts';
import { diskPlace } from '../../streams/metrics/sample-files.ts';
import { pointsIn } from '../../streams/metrics/bucket.ts';
import { numberUpdates } from '../../streams/metrics/number-updates.ts';

interface SamplingPorts {
  readonly derived: Pick<Derived, 'service$' | 'state$' | 'quit$'>;
  readonly read: () => SupervisorState;
  readonly take: TakeScan;
  readonly logError: (text: string) => void;
}

interface Sampling {
  /** Returns the latest sample of the service's current process, if there is one and sampling is on. */
  readonly of: (service: Service) => Sample | undefined;
  readonly samples: Measures['samples'];
  readonly memory: Pick<SampleMemory, 'bytes'>;
  readonly late: LoopLag;
  /**
   * Emits the services with measured values that have changed or ended, at most once in each update interval
   * of viewers.
   */
  readonly refreshed$: Observable<ServiceId>;
  /** Resolves when spilled samples are on disk, or could not be written. */
  readonly flush: () => Promise<void>;
  /** Takes samples while it is subscribed. Never emits. */
  readonly run$: Observable<never>;
}

const metricsIn = ({ metrics = DEFAULT_METRICS }: SupervisorState): typeof metrics => metrics;
const intervalIn = (state: SupervisorState): Ms => seconds(metricsIn(state).sampleIntervalSecs);
const statusIn = ({ status = DEFAULT_STATUS }: SupervisorState): typeof status => status;
const isOff = (state: SupervisorState): boolean => statusIn(state).snapshotMode === 'off';

/** Returns the sample; `undefined` if the process that was measured has ended. */
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

/** Keeps the list of existing runs up to date, and drops the samples of removed services. Never emits. */
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

/** Emits the services with new values for viewers, as often as the current `status` settings say. */
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

/** Samples process trees once per `metrics` interval, while a service runs and `status` is not `off`. */
const sampling = ({ derived, read, take, logError }: SamplingPorts): Sampling => {
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
  const scanTrees = (): TreeScan => {
    late.scanned(machineUptime(), intervalIn(read()));
    return take(runs.list());
  };
  const keep = (beat: Beat): void => {
    latest = new Map(beat.samples.map((sample) => [sample.service, sample]));
    memory.add(beat);
  };
  const beat$ = scansOnDemand(derived.state$.pipe(map(followState)), {
    take: () => defer(() => of(scanTrees())),
    compare: (scan$: Observable<TreeScan>) => beatsOf(scan$),
  }).pipe(tap(keep), share());
  const due$ = spilling(beat$.pipe(takeUntil(derived.quit$)));
  const { run$: spilled$, flush } = spill(due$, { place: () => diskPlace(limits), logError });

  return {
    of: (service) => (isOff(read()) ? undefined : presentSample(latest.get(service.spec.id), service)),
    samples: answersFrom(memory, () => limits),
    ...{ memory, late, flush },
    refreshed$: refreshed({ derived, read }, { beat$, runs }),
    run$: merge(followed(derived, { runs, memory }), spilled$),
  };
};

interface MeasuringPorts {
  readonly dataDir: string;
  readonly logError: (text: string) => void;
  readonly onError: (name: string, error: unknown) => void;
}

export interface Measuring {
  readonly of: Sampling['of'];
  readonly measures: Measures;
  readonly refreshed$: Sampling['refreshed$'];
  readonly flush: Sampling['flush'];
  readonly onProbed: (service: ServiceId, took: Ms) => void;
  /** Measures while it is subscribed. Never emits and never fails. */
  readonly run$: Observable<never>;
}

const REOPEN_AFTER = ms(1_000);

const ownMeasures = ({ late, memory }: Sampling): Measured['own'] => {
  const { user, system } = process.cpuUsage();
  return {
    cpu_seconds: (user + system) / 1e6,
    cpu_percent: null,
    rss_bytes: process.memoryUsage.rss(),
    loop_delay_ms: late.last() ?? null,
    loop_delay_max_ms: late.most() ?? null,
    samples_bytes: memory.bytes(),
  };
};

/** Measures samples, probe times and sizes of logs. Drops the values of removed services. */
export const measuring = ({ derived, read }: Loop, ports: MeasuringPorts): Measuring => {
  const layout = layoutOf(ports.dataDir);
  const sampled = sampling({ derived, read, take: treeScans(ports), logError: ports.logError });
  const probes = new Map<ServiceId, Ms>();
  const forgotten$ = derived.service$.pipe(
    tap(({ id, service }) => {
      if (service === undefined) probes.delete(id);
    }),
    ignoreElements(),
  );
  const measured = (): Measured => ({
    own: ownMeasures(sampled),
    probe: (id) => probes.get(id),
    logBytes: (id) => logBytes(layout.log(id)),
  });
  return {
    of: sampled.of,
    refreshed$: sampled.refreshed$,
    flush: sampled.flush,
    onProbed: (service, took) => void probes.set(service, took),
    measures: {
      samples: sampled.samples,
      metrics: (snapshot) => metricsDocument(snapshot, measured()),
    },
    run$: merge(forgotten$, sampled.run$).pipe(
      guarded('samples', { onError: ports.onError, pause: REOPEN_AFTER }),
    ),
  };
};
