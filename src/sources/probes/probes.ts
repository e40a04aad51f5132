// Health probes (`docs/behaviour.md`, "Health checks"). Attempts run one at a time, each within
// `attempt_timeout`. Other code decides whether a result matters.
import { asyncScheduler, defer, finalize, map, of, repeat, switchMap, tap, type Observable } from 'rxjs';
import type { ProbeResult } from '../../streams/domain/event.ts';
import type { Source } from '../../streams/domain/ports.ts';
import type { ProbeWatch } from '../../streams/domain/watch.ts';
import { after } from '../../streams/operators/after.ts';
import { ms, type Ms } from '../../streams/domain/time.ts';
import { machineUptime } from '../time/clock.ts';
import { commandProber } from './command-prober.ts';
import { candidateProber } from './candidate-prober.ts';
import { httpProber, type Stranger } from './http-prober.ts';
import { pauseBefore } from './pace.ts';
import type { ProbePorts, Prober } from './prober.ts';

export const probes =
  (ports: ProbePorts): Source<'probe'> =>
  (watch) =>
    results(ports, watch).pipe(
      map((result) => ({ type: 'probed', service: watch.service, run: watch.run, result })),
    );

/** Emits the results of a rollout's checks: `candidate_health_check`, `switch_verify`. */
export const verifications =
  (ports: ProbePorts): Source<'verify'> =>
  ({ service, run, ...watch }) =>
    results(ports, { ...watch, service, run, type: 'probe' }).pipe(
      map((result) => ({ type: 'verified', service, run, result })),
    );

/** A pause lasts from the end of one attempt to the start of the next. */
function results(ports: ProbePorts, watch: ProbeWatch): Observable<ProbeResult> {
  const scheduler = ports.scheduler ?? asyncScheduler;
  return defer(() => {
    const { attempt$, close } = proberOf(ports, watch);
    const paced = (pause: Ms): Ms => {
      ports.paces?.next(watch.key, pause);
      return pause;
    };
    const handed = ports.paces?.handed(watch.key, watch.check.interval);
    const first = paced(handed ?? pauseBefore(watch, 1));
    // A running attempt is resumed in this same turn: a handed-over command that is not claimed is killed.
    const begin$ = handed === 0 ? of(0 as const) : after(first, scheduler);
    const end = (): void => {
      ports.paces?.over(watch.key);
      close();
    };
    const attempts$ = timed(attempt$, (took) => ports.onProbed?.(watch.service, took)).pipe(
      repeat({ delay: (made) => after(paced(pauseBefore(watch, made + 1)), scheduler) }),
    );
    return begin$.pipe(
      switchMap(() => attempts$),
      finalize(end),
    );
  });
}

function timed(attempt$: Observable<ProbeResult>, tell: (took: Ms) => void): Observable<ProbeResult> {
  return defer(() => {
    const began = machineUptime();
    return attempt$.pipe(tap(() => tell(ms(machineUptime() - began))));
  });
}

const proberOf = (ports: ProbePorts, watch: ProbeWatch): Prober => {
  const { probe, attemptTimeout: limit } = watch.check;
  if (probe.tag === 'command') return commandProber(ports, watch, probe.command);
  const { witness, scheduler = asyncScheduler } = ports;
  if (watch.answerer === 'candidate')
    return candidateProber(probe.url, { witness, owner: watch, limit, scheduler });
  return httpProber(probe.url, { limit, scheduler, stranger: strangerFor(watch, witness) });
};

/** A proxy may answer for the service, and is then no stranger. */
const strangerFor =
  (watch: ProbeWatch, witness: ProbePorts['witness']): Stranger =>
  (place) =>
    watch.answerer === 'anyone' ? Promise.resolve(undefined) : witness.strangerAt(place, watch);
