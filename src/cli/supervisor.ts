// The composition root: sources, kernel and sinks tied into one knot. Nothing is decided here.
import { filter, map, merge, take, type Observable, type Subscription } from 'rxjs';
import { questions } from '../sinks/control/questions.ts';
import { fileCapture, type FileCapture } from '../sinks/logs/capture.ts';
import { supervisorLog, type SupervisorLog } from '../sinks/logs/supervisor-log.ts';
import { commandRunner } from '../sinks/process/command-runner.ts';
import { exitLedger } from '../sinks/process/ledger.ts';
import { registryWriter } from '../sinks/store/registry-writer.ts';
import { stateWriter } from '../sinks/store/state-writer.ts';
import { commandRequests } from '../sources/control/commands.ts';
import { controlServer } from '../sources/control/server.ts';
import { prepareSocketPlace } from '../sources/control/socket-place.ts';
import { procCensus } from '../sources/process/census.ts';
import { signals } from '../sources/signals/signals.ts';
import { wallClock } from '../sources/time/clock.ts';
import type { Lock } from '../sources/store/lock.ts';
import type { Event, Stamped } from '../streams/domain/event.ts';
import { derive } from '../streams/kernel/derived.ts';
import { servicesOf } from '../streams/kernel/roster.ts';
import { INITIAL_STATE, type SupervisorState } from '../streams/kernel/state.ts';
import { supervise } from '../streams/kernel/supervise.ts';
import { mailbox } from '../streams/operators/mailbox.ts';
import { observeWhile } from '../streams/operators/observe-while.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import type { ControlServer } from '../streams/wire/ports.ts';
import { PROTOCOL, type Hello } from '../streams/wire/protocol.ts';
import { firstEvent } from './wiring/booting.ts';
import { carryOut } from './wiring/doing.ts';
import { keep, keepLast, type KeepPorts } from './wiring/keeping.ts';
import { snapshotReader } from './wiring/reading.ts';
import { openWatch } from './wiring/watching.ts';
import type { SupervisorOptions } from './wiring/world.ts';

interface Parts {
  readonly options: SupervisorOptions;
  readonly log: SupervisorLog;
  readonly capture: FileCapture;
  readonly server: ControlServer;
  readonly hello: Hello;
}

/** Everything runs from here on. `quit$` emits when the supervisor is to end. */
interface Running {
  readonly post: (event: Event) => void;
  readonly quit$: Observable<unknown>;
  readonly keeping: KeepPorts;
  readonly subscription: Subscription;
}

const tie = ({ options, log, capture, server, hello }: Parts): Running => {
  const { dataDir, environment } = options;
  const census = procCensus({ dataDir });
  const ledger = exitLedger();
  const runner = commandRunner({ capture, census });
  const load = { environment, uid: process.getuid?.() ?? 0, sys: options.sys };
  const world = { environment, dataDir, census, ledger, runner, capture };
  const onError = (name: string, error: unknown): void =>
    log.trouble(
      `ERR0001 ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );

  const { post, posted$ } = mailbox<Event>();
  const step$ = posted$.pipe(
    map((event): Stamped => ({ at: wallClock.now(), event })),
    supervise(),
  );
  const derived = derive(step$);
  const latest: { state: SupervisorState } = { state: INITIAL_STATE };
  const read = (): SupervisorState => latest.state;
  const keeping = {
    states: stateWriter({ dataDir, onTrouble: log.trouble }),
    registry: registryWriter({ dataDir, onTrouble: log.trouble }),
    read,
  };

  // The order matters: whoever is asked for the state within a step must find that step's.
  const subscription = step$.subscribe((step) => (latest.state = step.state));
  const watched$ = derived.watch$.pipe(
    observeWhile({
      open: openWatch({ ...world, load }),
      onError: ({ key }, error) => onError(key, error),
    }),
  );
  const done$ = carryOut(derived.effect$, { ...world, server, notes: log.sink, onError });
  const answered$ = questions({
    server,
    read: snapshotReader({ read, hello, dataDir, clock: wallClock }),
    changed$: derived.service$.pipe(map(({ id }) => id)),
  });
  const event$ = merge(watched$, done$, commandRequests(server), signals(process));
  subscription.add(event$.subscribe({ next: post, error: (error) => onError('event$', error) }));
  const apart$ = merge(keep(derived, keeping), answered$);
  subscription.add(apart$.subscribe({ error: (error) => onError('store, views', error) }));
  const quit$ = derived.effect$.pipe(filter(({ type }) => type === 'quit'));
  return { post, quit$, keeping, subscription };
};

/** Children that outlived the last supervisor: their output is read on from where it waited. */
const adoptOutputs = ({ capture }: Parts, state: SupervisorState): void => {
  for (const { actual, spec } of servicesOf(state.roster))
    if ('process' in actual && spec.logs.sink === 'file') capture.adopt(spec);
};

/** Runs until it was told to end and everything is stopped. Resolves to the exit status. */
export const runSupervisor = async (options: SupervisorOptions, lock: Lock): Promise<number> => {
  const layout = layoutOf(options.dataDir);
  const log = supervisorLog({ dir: layout.supervisorLogs, foreground: options.foreground });
  const first = await firstEvent(options);
  const { logs } = first.settings;
  const capture = fileCapture({ dataDir: options.dataDir, defaults: () => logs, onTrouble: log.trouble });
  const hello: Hello = {
    protocol: PROTOCOL,
    version: options.version,
    pid: process.pid,
    since: new Date().toISOString(),
  };
  const runtimeDir = options.environment['XDG_RUNTIME_DIR'];
  const socketPath = await prepareSocketPlace({ layout, runtimeDir, uid: process.getuid?.() ?? 0 });
  const server = controlServer({ socketPath, hello });
  const parts: Parts = { options, log, capture, server, hello };

  const { post, quit$, keeping, subscription } = tie(parts);
  const quitting = new Promise<void>((resolve) => {
    subscription.add(quit$.pipe(take(1)).subscribe(() => resolve()));
  });
  post(first);
  adoptOutputs(parts, keeping.read());
  await server.listen();
  await quitting;

  await keepLast(keeping).catch((error: unknown) =>
    log.trouble(`the last state cannot be saved: ${String(error)}`),
  );
  await server.close();
  subscription.unsubscribe();
  await capture.close();
  lock.release();
  await log.close();
  return 0;
};
