// Measurements besides the state: samples, how long probes take, what logs take on disk, the supervisor
// itself.
import { ignoreElements, merge, tap, type Observable } from 'rxjs';
import type { Measures } from '../../sinks/control/client-answers.ts';
import { logBytes } from '../../sources/logs/log-files.ts';
import { treeLooks } from '../../sources/metrics/tree-looks.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import { ms, type Ms } from '../../streams/domain/time.ts';
import type { Loop } from '../../streams/kernel/loop.ts';
import { guarded } from '../../streams/operators/guarded.ts';
import { metricsDocument, type Measured } from '../../streams/views/metrics-document.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { sampling, type Sampling } from './sampling.ts';

interface MeasuringPorts {
  readonly dataDir: string;
  readonly onTrouble: (text: string) => void;
  readonly onError: (name: string, error: unknown) => void;
}

export interface Measuring {
  readonly of: Sampling['of'];
  readonly measures: Measures;
  readonly refreshed$: Sampling['refreshed$'];
  readonly flush: Sampling['flush'];
  readonly onProbed: (service: ServiceId, took: Ms) => void;
  /** Measures while it is subscribed. Never emits, never fails. */
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

/** Measures samples, probe times and log sizes. They are dropped when their service is removed. */
export const measuring = ({ derived, read }: Loop, ports: MeasuringPorts): Measuring => {
  const layout = layoutOf(ports.dataDir);
  const sampled = sampling({ derived, read, take: treeLooks(ports), onTrouble: ports.onTrouble });
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
