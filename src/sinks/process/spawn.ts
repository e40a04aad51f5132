// Starts the process of a run (`docs/behaviour.md`, "Starting", "Environment"): `command` through `sh -c`, `exec`
// directly; refusals are ERR0113,
// or the code of what the manifest asks of the kernel and cannot have.
import { availableParallelism } from 'node:os';
import { from, mergeMap } from 'rxjs';
import { fewAtOnce } from '../privilege/few-at-once.ts';
import { messageOf } from '../../streams/domain/thrown.ts';
import type { EffectOf } from '../../streams/domain/effect.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Capture, ExitLedger, Outlets, Sink } from '../../streams/domain/ports.ts';
import type { ServiceSpec } from '../../streams/domain/spec.ts';
import type { Account } from '../../streams/domain/account.ts';
import type { ServiceError } from '../../streams/domain/error.ts';
import { ownEnvironmentFor } from '../../streams/env/own-environment.ts';
import { serviceEnvironment, type Environment } from '../../streams/env/service-environment.ts';
import { refusalError } from '../../streams/launch/refusal.ts';
import { LaunchFailed } from '../privilege/launched.ts';
import { NotPrepared, prepare, type Mode, type Prepared } from '../privilege/privileges.ts';
import { shell, type ChildPlan } from './child.ts';
import { ownedBy, ProgramNotStarted, started, type Started, type StartPorts } from './started.ts';
import { oneEachTurn, type Turn } from './turns.ts';

export interface SpawnPorts {
  readonly capture: Capture;
  readonly ledger: ExitLedger;
  /** The supervisor's own environment. */
  readonly environment: Environment;
  readonly dataDir: string;
  readonly mode: Mode;
}

type Spawn = EffectOf<'spawn'>;

export const spawnSink = (ports: SpawnPorts): Sink<'spawn'> => {
  const own = { ...ports, turn: oneEachTurn(), launchers: fewAtOnce(Math.max(2, availableParallelism())) };
  return (effect$) => effect$.pipe(mergeMap((effect) => from(launch(own, effect))));
};

interface LaunchPorts extends SpawnPorts, StartPorts {
  /** Settles when a process may be started. */
  readonly turn: Turn;
}

const launch = async (ports: LaunchPorts, effect: Spawn): Promise<Event> => {
  const { service, run, spec } = effect;
  try {
    const prepared = await prepare(spec, ports.mode);
    const plan = planOf(ports, effect, prepared.account);
    const { process, exit, skipped } = await startCaptured(ports, { spec, plan, prepared });
    // Still the tick of the spawn: nothing but resolved promises lies between.
    ports.ledger.record(process, exit);
    return { type: 'spawned', service, run, process, ...(skipped.length > 0 && { skipped }) };
  } catch (error) {
    return { type: 'spawn-failed', service, run, error: await refusalOf(service, error) };
  }
};

const refusalOf = async (service: Spawn['service'], error: unknown): Promise<ServiceError> => {
  if (error instanceof NotPrepared || error instanceof LaunchFailed)
    return refusalError(service, error.refusal);
  const detail = error instanceof ProgramNotStarted ? await error.explanation() : messageOf(error);
  return { code: 'ERR0113', service, detail };
};

const planOf = (ports: SpawnPorts, { spec, run, slot }: Spawn, account: Account | undefined): ChildPlan => {
  const own = ownEnvironmentFor(spec, ports.environment, account);
  const environment = serviceEnvironment(spec, own, { run, dataDir: ports.dataDir });
  const variable = spec.deployment.blueGreen?.envVar ?? 'PORT';
  return {
    argv: spec.launch.tag === 'shell' ? shell(spec.launch.command) : spec.launch.argv,
    directory: spec.workingDir,
    environment: slot === undefined ? environment : { ...environment, [variable]: slot },
  };
};

interface Job {
  readonly spec: ServiceSpec;
  readonly plan: ChildPlan;
  readonly prepared: Prepared;
}

const startCaptured = async (ports: LaunchPorts, job: Job): Promise<Started> => {
  const { capture, turn } = ports;
  const outlets = await opened(capture, job.spec);
  try {
    ownedBy(job.prepared, outlets);
    await turn();
    return await started(ports, { ...job, plan: { ...job.plan, output: outlets } });
  } finally {
    outlets.close();
  }
};

/** Output that cannot be captured is a reason not to start, and not the program's fault. */
class CaptureFailed extends Error {}

const opened = async (capture: Capture, spec: ServiceSpec): Promise<Outlets> => {
  try {
    return await capture.open(spec);
  } catch (error) {
    const why = messageOf(error);
    throw new CaptureFailed(`its output cannot be captured (${why})`);
  }
};
