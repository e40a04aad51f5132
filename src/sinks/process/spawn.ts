// Starts the process of a run (`docs/behaviour.md`, "Starting", "Environment"): `command` through `sh -c`, `exec`
// directly; refusals are ERR0113.
import type { Lane } from '../../streams/domain/process.ts';
import { from, mergeMap } from 'rxjs';
import { messageOf } from '../../streams/domain/thrown.ts';
import type { EffectOf } from '../../streams/domain/effect.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Capture, ExitLedger, Outlets, Sink } from '../../streams/domain/ports.ts';
import type { ServiceSpec } from '../../streams/domain/spec.ts';
import { serviceEnvironment, type Environment } from '../../streams/env/service-environment.ts';
import { shell, startChild, type Child, type ChildPlan } from './child.ts';
import { asListener, listenVariables, type HeldSockets } from './held-sockets.ts';
import { explainRefusal } from './refusal.ts';
import { oneEachTurn, type Turn } from './turns.ts';

export interface SpawnPorts {
  readonly capture: Capture;
  readonly ledger: ExitLedger;
  readonly sockets: HeldSockets;
  /** The supervisor's own environment. */
  readonly environment: Environment;
  readonly dataDir: string;
}

type Spawn = EffectOf<'spawn'>;

export const spawnSink = (ports: SpawnPorts): Sink<'spawn'> => {
  const turn = oneEachTurn();
  return (effect$) => effect$.pipe(mergeMap((effect) => from(launch({ ...ports, turn }, effect))));
};

interface LaunchPorts extends SpawnPorts {
  /** Settles when a process may be started. */
  readonly turn: Turn;
}

const launch = async (ports: LaunchPorts, effect: Spawn): Promise<Event> => {
  const { service, run } = effect;
  const plan = planOf(ports, effect);
  try {
    const { process, exit } = await startCaptured(ports, effect, withSockets(ports.sockets, effect, plan));
    // Still the tick of the spawn: nothing but resolved promises lies between.
    ports.ledger.record(process, exit);
    return { type: 'spawned', service, run, process };
  } catch (error) {
    const detail = error instanceof Unprepared ? error.message : await explainRefusal(plan, error);
    return { type: 'spawn-failed', service, run, error: { code: 'ERR0113', service, detail } };
  }
};

const planOf = (ports: SpawnPorts, { spec, run }: Spawn): ChildPlan => {
  const environment = serviceEnvironment(spec, ports.environment, { run, dataDir: ports.dataDir });
  return {
    argv: spec.launch.tag === 'shell' ? shell(spec.launch.command) : spec.launch.argv,
    directory: spec.workingDir,
    environment,
  };
};

const withSockets = (held: HeldSockets, { spec }: Spawn, plan: ChildPlan): ChildPlan => {
  if (spec.sockets === undefined) return plan;
  try {
    return {
      ...plan,
      argv: asListener(plan.argv),
      environment: { ...plan.environment, ...listenVariables(spec.sockets) },
      descriptors: held.take(spec),
    };
  } catch (error) {
    throw new Unprepared(messageOf(error));
  }
};

const startCaptured = async (
  { capture, turn }: LaunchPorts,
  { spec, lane }: Spawn,
  plan: ChildPlan,
): Promise<Child> => {
  const outlets = await opened(capture, spec, lane);
  try {
    await turn();
    return await startChild({ ...plan, output: outlets });
  } finally {
    outlets.close();
  }
};

/** Output that cannot be captured and sockets that cannot be opened are reasons not to start, and not the program's fault. */
class Unprepared extends Error {}

const opened = async (capture: Capture, spec: ServiceSpec, lane: Lane): Promise<Outlets> => {
  try {
    return await capture.open(spec, lane);
  } catch (error) {
    const why = messageOf(error);
    throw new Unprepared(`its output cannot be captured (${why})`);
  }
};
