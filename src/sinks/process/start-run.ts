// Starts the process of a run (`docs/behaviour.md`, "Starting", "Environment"): `command` through `sh -c`,
// `exec` directly. A failure is ERR0113, or the code of the kernel setting that was refused.
// Rules: `docs/behaviour.md`, "Starting", "The process".
import { from, mergeMap } from 'rxjs';
import type { Account } from '../../streams/domain/account.ts';
import type { EffectOf } from '../../streams/domain/effect.ts';
import type { ServiceError } from '../../streams/domain/errors/error.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Capture, ExitLedger, NotifySockets, Outlets, Sink } from '../../streams/domain/ports.ts';
import { isNotifying, watchdogOf } from '../../streams/domain/declared/health-check.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import { userIdsOf } from '../../os/proc/process-facts.ts';
import { heldText, type ListenPlace, type PortHolder } from '../../streams/domain/service/port.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import {
  type Environment,
  ownEnvironmentFor,
  serviceEnvironment,
} from '../../streams/env/service-environment.ts';
import { refusalError } from '../../streams/launch/launch-refusal.ts';
import type { Launchers } from '../privilege/launcher-pool.ts';
import { prepare, type Mode, type Prepared } from '../privilege/prepare-launch.ts';
import { LaunchRefused } from '../privilege/launch-reports.ts';
import { shell, type ChildPlan, type StartChild } from './start-by-node.ts';
import type { Explanation } from './explain-start-failure.ts';
import { asListener, SocketNotOpened, withSockets, type HeldSockets } from './held-sockets.ts';
import {
  ownedBy,
  ProgramNotStarted,
  started,
  type Started,
  type StartProcessPorts,
} from './start-or-launch.ts';
import { Rounds, StartGate, type Ticket } from './spread-starts.ts';
import { SecretNotRead, secretValues } from './secret-values.ts';

export interface SpawnPorts {
  readonly capture: Capture;
  readonly ledger: ExitLedger;
  readonly start: StartChild;
  readonly sockets: HeldSockets;
  /** The sockets on which runs report their state. Absent if services are stopped without a supervisor. */
  readonly notify?: NotifySockets;
  readonly environment: Environment;
  readonly dataDir: string;
  readonly mode: Mode;
  /** The queue of starts, which an upgrade can hold. */
  readonly gate?: StartGate;
  readonly launchers: Launchers;
  /** Finds the process that listens at an address, for error messages. */
  readonly holderAt?: (place: ListenPlace) => Promise<PortHolder | undefined>;
}

type Spawn = EffectOf<'spawn'>;

export const spawnSink = (ports: SpawnPorts): Sink<'spawn'> => {
  const { gate = new StartGate() } = ports;
  const own = { ...ports, rounds: new Rounds() };
  return (effect$) => effect$.pipe(mergeMap((effect) => from(ticketed(own, effect, gate))));
};

interface LaunchPorts extends SpawnPorts, StartProcessPorts {
  /** Limits the starts in one turn of the event loop. */
  readonly rounds: Rounds;
}

const ticketed = async (ports: LaunchPorts, effect: Spawn, gate: StartGate): Promise<Event> => {
  const { service, run } = effect;
  const ticket = gate.ticket({ service, run });
  return launch(ports, effect, ticket).finally(ticket.over);
};

const launch = async (ports: LaunchPorts, effect: Spawn, ticket: Ticket): Promise<Event> => {
  const { service, run, spec } = effect;
  try {
    const prepared = await prepare(spec, ports.mode);
    const plan = planOf(ports, effect, prepared);
    const { process, exit, skipped } = await inTurn(ports, { effect, plan, prepared }, ticket);
    // This line still runs in the tick of the spawn, because the promises awaited since then were already
    // resolved.
    ports.ledger.record(process, exit);
    const recorded = ports.mode.privileged ? startedAs(process) : process;
    return { type: 'spawned', service, run, process: recorded, ...(skipped.length > 0 && { skipped }) };
  } catch (error) {
    return { type: 'spawn-failed', service, run, error: await refusalOf(ports, effect, error) };
  }
};

/**
 * Returns a copy of the process that contains its real uid. By this uid, later scans recognise other
 * processes of the run.
 */
const startedAs = (process: ProcessRef): ProcessRef => {
  const uid = userIdsOf(process.pid)?.real;
  return uid === undefined ? process : { ...process, uid };
};

/** Returns the manifest key that caused the failure; `undefined` if no key did. */
const keyOf = ({ launch: { tag } }: ServiceSpec, { about }: Explanation): string | undefined => {
  if (about === undefined) return undefined;
  if (about === 'directory') return 'working_dir';
  return tag === 'shell' ? 'command' : 'exec';
};

const socketText = async ({ holderAt }: SpawnPorts, { message, taken }: SocketNotOpened): Promise<string> => {
  if (taken === undefined) return message;
  const holder = await holderAt?.(taken);
  return holder === undefined ? message : `${message}: ${heldText(taken, holder)}`;
};

const refusalOf = async (
  ports: SpawnPorts,
  { service, spec }: Spawn,
  error: unknown,
): Promise<ServiceError> => {
  if (error instanceof LaunchRefused) return refusalError(service, error.refusal);
  if (error instanceof SecretNotRead) return error.errorOf(service);
  if (error instanceof SocketNotOpened)
    return { code: 'ERR0113', service, key: 'sockets', detail: await socketText(ports, error) };
  if (!(error instanceof ProgramNotStarted)) return { code: 'ERR0113', service, detail: messageOf(error) };
  const explanation = await error.explanation();
  const key = keyOf(spec, explanation);
  return { code: 'ERR0113', service, ...(key !== undefined && { key }), detail: explanation.detail };
};

const plain = (ports: SpawnPorts, { spec, run, child }: Spawn, account: Account | undefined): ChildPlan => ({
  argv: spec.launch.tag === 'shell' ? shell(spec.launch.command) : spec.launch.argv,
  directory: spec.workingDir,
  ...(spec.umask !== undefined && { umask: Number.parseInt(spec.umask, 8) }),
  environment: serviceEnvironment(spec, ownEnvironmentFor(spec, ports.environment, account), {
    run,
    dataDir: ports.dataDir,
    child,
  }),
});

/**
 * Returns the plan of the process. If the service has `sockets`, the plan hands them over, and a launcher or
 * a shell sets `LISTEN_PID`.
 */
const planOf = (ports: SpawnPorts, effect: Spawn, { account, stages }: Prepared): ChildPlan => {
  const plan = plain(ports, effect, account);
  if (effect.spec.sockets === undefined) return plan;
  const given = withSockets(ports.sockets, effect.spec, plan);
  return stages.length > 0 ? given : asListener(given);
};

interface Job {
  readonly effect: Spawn;
  readonly plan: ChildPlan;
  readonly prepared: Prepared;
}

/**
 * Returns a copy of the job in which the environment contains the values of the secrets. They are read as
 * late as possible. Throws `SecretNotRead`.
 */
const withSecrets = ({ mode }: LaunchPorts, job: Job): Job => {
  const { secrets } = job.effect.spec.env;
  if (secrets === undefined) return job;
  const environment = { ...job.plan.environment, ...secretValues(secrets, mode.privileged) };
  return { ...job, plan: { ...job.plan, environment } };
};

/** Starts the job when its turn comes. The secrets are read and the output is opened only then. */
const inTurn = (ports: LaunchPorts, job: Job, { turn }: Ticket): Promise<Started> => {
  const begin = async (): Promise<Started> => {
    await turn();
    return startCaptured(ports, withSecrets(ports, job));
  };
  return job.prepared.stages.length === 0 ? begin() : ports.launchers.whenFree(begin);
};

const startCaptured = async (ports: LaunchPorts, { effect, plan, prepared }: Job): Promise<Started> => {
  const outlets = await opened(ports.capture, effect);
  try {
    ownedBy(prepared, outlets);
    await ports.rounds.turn();
    const own = withNotifications(ports, { effect, plan, prepared });
    return await started(ports, { plan: { ...own, output: outlets }, prepared });
  } catch (error) {
    if (effect.child === undefined) ports.notify?.close(effect.service, effect.run);
    throw error;
  } finally {
    outlets.close();
  }
};

/**
 * The variables of sd_notify that are removed from the environment of a run, because their values may come
 * from the service manager that started the supervisor.
 */
const ABOUT_NOTIFYING: readonly string[] = ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID'];
const MICROSECONDS = 1000;

/**
 * Returns the plan. If the health check of the run is `notify`, the plan's environment names the run's own
 * socket for sd_notify.
 */
const withNotifications = ({ notify }: SpawnPorts, { effect, plan, prepared }: Job): ChildPlan => {
  const { service, run, spec, child } = effect;
  const { healthCheck: check } = spec.deployment;
  if (child !== undefined || notify === undefined || !isNotifying(check)) return plan;
  const others = Object.entries(plan.environment).filter(([name]) => !ABOUT_NOTIFYING.includes(name));
  const watchdog = watchdogOf(check);
  return {
    ...plan,
    environment: {
      ...Object.fromEntries(others),
      NOTIFY_SOCKET: notifySocket(notify, { service, run, owner: prepared.owner }),
      ...(watchdog !== undefined && { WATCHDOG_USEC: String(watchdog * MICROSECONDS) }),
    },
  };
};

const notifySocket = (
  notify: NotifySockets,
  { service, run, owner }: Pick<Spawn, 'service' | 'run'> & { readonly owner: Prepared['owner'] | undefined },
): string => {
  try {
    return notify.open(service, run, owner);
  } catch (error) {
    throw new Error(`its socket for notifications cannot be opened (${messageOf(error)})`, { cause: error });
  }
};

/** Opens the service's output. The error of a failure says that the output, not the program, is the cause. */
const opened = async (capture: Capture, { spec, run, fifoPair, child }: Spawn): Promise<Outlets> => {
  try {
    return await (child === undefined
      ? capture.open(spec, fifoPair)
      : capture.openChild(spec, { name: child, run }));
  } catch (error) {
    throw new Error(`its output cannot be captured (${messageOf(error)})`, { cause: error });
  }
};
