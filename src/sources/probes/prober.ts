// The interface of a probe: by command, HTTP or TCP (`docs/behaviour.md`, "Health checks").
import type { Observable, SchedulerLike } from 'rxjs';
import type { ProbeResult } from '../../streams/domain/event.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { Capture, CommandRunner, PortWitness } from '../../streams/domain/ports.ts';
import type { ListeningSockets } from '../../streams/domain/service/port.ts';
import type { Ms } from '../../streams/domain/time.ts';
import type { Environment } from '../../streams/env/service-environment.ts';
import type { Paces } from './probe-pauses.ts';

export interface ProbePorts {
  readonly runner: CommandRunner;
  readonly witness: PortWitness;
  /** The output of services, for checks by `log`. */
  readonly capture?: Pick<Capture, 'printed'>;
  /** Environment variables of the supervisor, which check commands inherit. */
  readonly environment: Environment;
  readonly dataDir: string;
  /**
   * Emits the listening sockets when they may have changed. If a new socket listens on the port of the check,
   * the next attempt is made at once. Absent: each pause between attempts takes its full time.
   */
  readonly listening$?: Observable<ListeningSockets>;
  /** Called after each attempt, with its duration, for the metrics. */
  readonly onProbed?: (service: ServiceId, took: Ms) => void;
  /** The record of pauses that an upgrade hands over. Absent if no upgrade is possible. */
  readonly paces?: Paces;
  /** Scheduler of the pauses and of the time limit of an HTTP attempt. A test can set another scheduler. */
  readonly scheduler?: SchedulerLike;
}

/** A way to probe a service: by command, HTTP or TCP. Each subscription to `attempt$` makes one attempt. */
export interface Prober {
  /** Emits one result, then completes. Unsubscribing cancels the attempt. */
  readonly attempt$: Observable<ProbeResult>;
  readonly close: () => void;
}
