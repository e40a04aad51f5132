// One kind of probe (a command, an HTTP request), as the loop of attempts uses it.
import type { Observable, SchedulerLike } from 'rxjs';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { Ms } from '../../streams/domain/time.ts';
import type { ProbeResult } from '../../streams/domain/event.ts';
import type { CommandRunner, PortWitness } from '../../streams/domain/ports.ts';
import type { Paces } from './paces.ts';
import type { Environment } from '../../streams/env/service-environment.ts';

export interface ProbePorts {
  readonly runner: CommandRunner;
  readonly witness: PortWitness;
  /** The supervisor's own environment. */
  readonly environment: Environment;
  readonly dataDir: string;
  /** Receives the duration of each attempt. */
  readonly onProbed?: (service: ServiceId, took: Ms) => void;
  /** Absent if nothing is ever handed over. */
  readonly paces?: Paces;
  /** Times the pauses and the limit of an HTTP attempt. */
  readonly scheduler?: SchedulerLike;
}

/** Makes one attempt for each subscription. */
export interface Prober {
  /** Emits one result, then completes. Unsubscribing cancels the attempt. */
  readonly attempt$: Observable<ProbeResult>;
  readonly close: () => void;
}
