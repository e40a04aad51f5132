// One kind of probe (a command, an HTTP request) as the loop of attempts sees it.
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
  /** How long an attempt took. */
  readonly onProbed?: (service: ServiceId, took: Ms) => void;
  /** Absent where nothing is ever handed over. */
  readonly paces?: Paces;
  /** Of pauses, and of the limit of an HTTP attempt. */
  readonly scheduler?: SchedulerLike;
}

/** Asks the same thing as often as it is subscribed to. */
export interface Prober {
  /** One result, then completes. Unsubscribing calls the attempt off. */
  readonly attempt$: Observable<ProbeResult>;
  readonly close: () => void;
}
