// Runs health probes (`docs/behaviour.md`, "Health checks"). Attempts run one at a time, each within
// `attempt_timeout`. This file only reports results; other code decides what follows from them.
//
// A check by command passes if the exit status is 0. Its errors:
// - ERR0022: the command cannot be run.
// - ERR0023: it takes too long, and is killed with its descendants.
// - ERR0104: it exits with any other status.
import {
  asyncScheduler,
  defer,
  finalize,
  map,
  NEVER,
  type Observable,
  of,
  race,
  repeat,
  switchMap,
  tap,
} from 'rxjs';
import { machineUptime } from '../clocks.ts';
import { candidateProber } from './candidate-prober.ts';
import { excerptIn } from './http-client.ts';
import { httpProber, type Stranger } from './http-prober.ts';
import { portLookout } from './listen-lookout.ts';
import { tcpProber } from './tcp-prober.ts';
import { type ProbePorts, type Prober } from './prober.ts';
import { pauseBefore } from './probe-pauses.ts';
import type { CommandOutcome, ProbeResult } from '../../streams/domain/event.ts';
import { shownId } from '../../streams/domain/ids.ts';
import type { Source } from '../../streams/domain/ports.ts';
import { tcpAddress } from '../../streams/domain/service/port.ts';
import { exitText } from '../../streams/domain/service/exit-status.ts';
import { ms, type Ms } from '../../streams/domain/time.ts';
import type { Probe } from '../../streams/domain/declared/health-check.ts';
import type { ProbeWatch } from '../../streams/domain/watch.ts';
import { commandEnvironment } from '../../streams/env/service-environment.ts';
import { runsAsService } from '../../streams/launch/command-as-service.ts';
import { after } from '../../streams/operators/long-timer.ts';

const commandProber = (ports: ProbePorts, watch: ProbeWatch, command: string): Prober => {
  const { spec, check, run, key, process: beside } = watch;
  const job = {
    ...{ key, command, directory: spec.workingDir, limit: check.attemptTimeout },
    environment: commandEnvironment(spec, ports.environment, { run, dataDir: ports.dataDir }),
    secretsOf: spec,
    as: isOfService(watch) ? { spec, beside } : undefined,
    about: `health check of ${shownId(spec.id)}`,
  };
  return { attempt$: ports.runner.run(job).pipe(map(resultOf)), close: () => undefined };
};

/**
 * True if the command of the check runs as the service's user. The command of `switch_verify` runs as the
 * supervisor's user, because it checks the route of the traffic, not the service.
 */
const isOfService = ({ spec, check }: ProbeWatch): boolean =>
  runsAsService(spec) && check !== spec.deployment.blueGreen?.switchVerify;

/** The exit statuses of a shell for a program that is not executable or not found. */
const CANNOT_RUN: readonly number[] = [126, 127];

const resultOf = (outcome: CommandOutcome): ProbeResult => {
  if (outcome.tag === 'over-budget') return { tag: 'timed-out' };
  const { status, evidence } = outcome;
  if (status.tag === 'code' && status.code === 0) return { tag: 'passed' };
  const lastLine = excerptIn(Buffer.from(evidence.at(-1) ?? ''));
  const detail = `check command ${exitText(status)}${lastLine === '' ? '' : `: ${lastLine}`}`;
  const reached = status.tag !== 'code' || !CANNOT_RUN.includes(status.code);
  return { tag: reached ? 'unhealthy' : 'unreachable', detail };
};

export const probes =
  (ports: ProbePorts): Source<'probe'> =>
  (watch) =>
    results(ports, watch).pipe(
      map((result) => ({
        ...{ type: 'probed', service: watch.service, run: watch.run, result },
        ...(watch.liveness && { liveness: true }),
      })),
    );

/** Emits the results of a rollout's checks: `candidate_health_check`, `switch_verify`. */
export const verifications =
  (ports: ProbePorts): Source<'verify'> =>
  ({ service, run, ...watch }) =>
    results(ports, { ...watch, service, run, type: 'probe' }).pipe(
      map((result) => ({ type: 'verified', service, run, result })),
    );

/**
 * Emits the results of repeated attempts. A pause lasts from the end of one attempt to the start of the next.
 */
function results(ports: ProbePorts, watch: ProbeWatch): Observable<ProbeResult> {
  return defer(() => {
    if (watch.check.probe.tag === 'log') return printed$(ports, watch, watch.check.probe.log);
    const { attempt$, close } = proberOf(ports, watch);
    const { begin$, pause$ } = pausesOf(ports, watch);
    const end = (): void => {
      ports.paces?.over(watch.key);
      close();
    };
    const attempts$ = timed(attempt$, (took) => ports.onProbed?.(watch.service, took)).pipe(
      repeat({ delay: () => pause$ }),
    );
    return begin$.pipe(
      switchMap(() => attempts$),
      finalize(end),
    );
  });
}

/** Emits `passed` when a line of the run matches the pattern, at once if an earlier line has matched. */
const printed$ = ({ capture }: ProbePorts, watch: ProbeWatch, pattern: string): Observable<ProbeResult> =>
  capture?.printed(watch.spec, pattern, watch.fifoPair).pipe(map(() => ({ tag: 'passed' }))) ?? NEVER;

interface Pauses {
  /** Emits when the first attempt must begin. */
  readonly begin$: Observable<unknown>;
  /**
   * Emits when the next attempt must begin. Subscribe after each attempt: the length of the pause depends on
   * the number of attempts so far.
   */
  readonly pause$: Observable<unknown>;
}

/**
 * Returns the pauses of a probe watch. If a socket begins to listen on the port of the check, the present
 * pause ends, and the following pauses begin again with the shortest.
 */
function pausesOf(ports: ProbePorts, watch: ProbeWatch): Pauses {
  const { paces, listening$ = NEVER, scheduler = asyncScheduler } = ports;
  const { appeared$, isQuiet } = portLookout(listening$, watch.whenListening);
  let attempts = 0;
  const paced = (length: Ms): Ms => {
    paces?.next(watch.key, length);
    return length;
  };
  const cutShort = (): void => {
    attempts = 0;
    paced(ms(0));
  };
  const cut$ = appeared$.pipe(tap(cutShort));
  const handed = paces?.handed(watch.key, watch.check.interval);
  // A remaining time of 0 means that an attempt was running at the handover. It must continue in this turn of
  // the event loop, because its command was handed over, and a handed-over command is killed if no watch asks
  // for it in time.
  const begin$ =
    handed === 0
      ? defer(() => of(paced(handed)))
      : defer(() => race(cut$, after(paced(handed ?? pauseBefore(watch, 1)), scheduler)));
  const pause$ = defer(() => {
    attempts += 1;
    return race(cut$, after(paced(pauseBefore(watch, attempts + 1, isQuiet())), scheduler));
  });
  return { begin$, pause$ };
}

function timed(attempt$: Observable<ProbeResult>, tell: (took: Ms) => void): Observable<ProbeResult> {
  return defer(() => {
    const began = machineUptime();
    return attempt$.pipe(tap(() => tell(ms(machineUptime() - began))));
  });
}

const proberOf = (ports: ProbePorts, watch: ProbeWatch): Prober => {
  const { probe, attemptTimeout: limit } = watch.check;
  if (probe.tag === 'log' || probe.tag === 'notify' || probe.tag === 'watchdog')
    return { attempt$: NEVER, close: () => undefined };
  if (probe.tag === 'command') return commandProber(ports, watch, probe.command);
  const { witness, scheduler = asyncScheduler } = ports;
  const asking = { witness, owner: watch, limit, scheduler };
  if (watch.answerer === 'candidate') return candidateProber(urlOf(probe), asking);
  const stranger = strangerFor(watch, witness);
  if (probe.tag === 'http') return httpProber(probe.url, { limit, scheduler, stranger });
  return tcpProber(probe.tcp, { ...asking, stranger, isHeld: isHeld(watch, probe.tcp) });
};

/** Returns the URL of a check; for a TCP check, `tcp://host:port`. */
const urlOf = (probe: Extract<Probe, { tag: 'http' | 'tcp' }>): string => {
  if (probe.tag === 'http') return probe.url;
  return `tcp://${probe.tcp.includes(':') ? probe.tcp : `localhost:${probe.tcp}`}`;
};

/**
 * True if the supervisor holds a socket for the service (`sockets`) that listens on the port of the address.
 */
const isHeld = ({ spec, answerer }: ProbeWatch, address: string): boolean =>
  answerer !== 'anyone' &&
  (spec.sockets ?? []).some(
    ({ listen }) => listen.tag === 'tcp' && listen.port === tcpAddress(address)?.port,
  );

/**
 * Returns a function that finds a foreign process that answers instead of the service. If a proxy may answer
 * for the service, no process counts as foreign.
 */
const strangerFor =
  (watch: ProbeWatch, witness: ProbePorts['witness']): Stranger =>
  (place) =>
    watch.answerer === 'anyone' ? Promise.resolve(undefined) : witness.strangerAt(place, watch);
