// The composition root: sources, kernel and sinks connected into one loop. Nothing is decided here.
import {
  defer,
  EMPTY,
  firstValueFrom,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  switchMap,
  tap,
  type Observable,
} from 'rxjs';
import { questions } from '../sinks/control/questions.ts';
import { replies } from '../sinks/control/replies.ts';
import { fileCapture, type FileCapture } from '../sinks/logs/capture.ts';
import { libcOf, openLibc } from '../os/libc.ts';
import { supervisorLog, type SupervisorLog } from '../sinks/logs/supervisor-log.ts';
import { listenForMetrics } from '../sinks/metrics/listen.ts';
import { HeldSockets } from '../sinks/process/held-sockets.ts';
import { keepCgroups } from '../sinks/privilege/cgroup-keeper.ts';
import { registryWriter } from '../sinks/store/registry-writer.ts';
import { stateWriter } from '../sinks/store/state-writer.ts';
import { commandRequests } from '../sources/control/command-requests.ts';
import { controlServer } from '../sources/control/server.ts';
import { prepareSocketPlace, type PlacePorts } from '../sources/control/socket-place.ts';
import { signals } from '../sources/signals/signals.ts';
import type { Hold } from '../sources/store/hold.ts';
import { wallClock } from '../sources/time/clock.ts';
import type { Event } from '../streams/domain/event.ts';
import { requestId, UNHEARD } from '../streams/domain/ids.ts';
import type { Settings } from '../streams/domain/declared/settings.ts';
import { loopOf, type Loop } from '../streams/kernel/loop.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import type { ControlServer } from '../streams/wire/ports.ts';
import { PROTOCOL, type Hello } from '../streams/wire/protocol.ts';
import { bugText, messageOf } from '../streams/domain/errors/thrown.ts';
import type { Snapshot } from '../streams/views/snapshot.ts';
import { EXIT } from './exit-status.ts';
import { endCommands } from './wiring/end-commands.ts';
import { keptEvents, type KeptEvents } from './wiring/kept-events.ts';
import { keptReplies } from './wiring/kept-replies.ts';
import { measuring, type Measuring } from './wiring/measuring.ts';
import { firstEvent } from './wiring/first-event.ts';
import { keep, keepLast, keepNow, projectsIn, type KeepPorts } from './wiring/records.ts';
import { presence } from './wiring/presence.ts';
import { adoptOutputs } from './wiring/outputs.ts';
import { nodesProcesses, ownProcesses, type Processes } from './wiring/processes.ts';
import { snapshotReader } from './wiring/snapshots.ts';
import { surroundings } from './wiring/surroundings.ts';
import type { SupervisorOptions } from './wiring/options.ts';

interface Parts {
  readonly options: SupervisorOptions;
  readonly log: SupervisorLog;
  readonly capture: FileCapture;
  readonly sockets: HeldSockets;
  readonly processes: Processes;
  readonly server: ControlServer;
  readonly place: PlacePorts;
  readonly hello: Hello;
}

/** What goes wrong where nobody expected it is a line in the log, and a bug. */
const complain =
  (log: SupervisorLog) =>
  (name: string, error: unknown): void =>
    log.trouble(bugText(name, error));

/** What hangs on the loop: the records on disk, and what is measured. */
interface Companions {
  readonly records: KeepPorts;
  readonly events: KeptEvents;
  readonly measured: Measuring;
  /** The latest state, as it is shown. */
  readonly snapshot: () => Snapshot;
}

/** The loop at work in the world of this machine. */
function connect(
  { options, log, capture, sockets, processes, server }: Parts,
  loop: Loop,
  { records, measured }: Companions,
): Observable<never> {
  const around = surroundings(options, {
    capture,
    sockets,
    processes,
    notes: log.sink,
    replies: keptReplies(records, replies(server)),
    onTrouble: log.trouble,
    onError: complain(log),
    happened$: merge(commandRequests(server), signals(process)),
    onProbed: measured.onProbed,
  });
  return loop.run(around);
}

/** What follows the state without ever speaking back: the store and the live view. */
function follow(
  { options, server, sockets }: Parts,
  { derived }: Loop,
  { records, events, measured, snapshot }: Companions,
): Observable<never> {
  const answered$ = questions({
    server,
    environment: options.environment,
    measures: measured.measures,
    read: snapshot,
    changed$: merge(derived.service$.pipe(map(({ id }) => id)), measured.refreshed$),
  });
  const closed$ = derived.service$.pipe(
    tap(({ id, service }) => sockets.follow(id, service)),
    ignoreElements(),
  );
  const cgroups$ = options.sys ? keepCgroups(derived.service$) : EMPTY;
  return merge(keep(derived, records), events.run$, answered$, closed$, cgroups$, measured.run$);
}

const keepers = ({ options: { dataDir }, log }: Parts, { read }: Loop): KeepPorts => ({
  states: stateWriter({ dataDir, onTrouble: log.trouble }),
  registry: registryWriter({ dataDir, onTrouble: log.trouble }),
  read,
});

const companionsOf = (parts: Parts, loop: Loop): Companions => {
  const { hello, log, options, processes } = parts;
  const { dataDir } = options;
  const told = { onTrouble: log.trouble, onError: complain(log) };
  const measured = measuring(loop, { dataDir, ...told });
  const { read } = loop;
  const records = keepers(parts, loop);
  const events = keptEvents(loop.derived, { dataDir, hello, ...told });
  const { troubles } = records.states;
  const snapshot = snapshotReader({
    ...{ read, hello, dataDir, clock: wallClock },
    ...{ usage: measured.of, means: processes.means, troubles },
  });
  return { records, events, measured, snapshot };
};

/** Where it was asked for. An address that is not to be had is a line in the log: services matter more. */
const serveMetrics = async (
  { options: { metricsListen: place }, log }: Parts,
  { measured, snapshot }: Companions,
): Promise<() => Promise<void>> => {
  if (place === undefined) return () => Promise.resolve();
  try {
    return await listenForMetrics(place, () => measured.measures.metrics(snapshot()));
  } catch (error) {
    log.trouble(`metrics are not served at ${place.host}:${place.port}: ${messageOf(error)}`);
    return () => Promise.resolve();
  }
};

/** Before anybody is started: who runs may have the sockets that others need. */
const adoptSockets = ({ sockets }: Parts, { restored, found }: Extract<Event, { type: 'booted' }>): void => {
  for (const { spec, rollout } of restored)
    for (const one of found.filter(({ service }) => service === spec.id)) {
      sockets.adopt(spec, one.process);
      if (rollout !== undefined) sockets.adopt(rollout.other.spec, one.process);
    }
};

/** Within reach, with all that was recorded, although its files are removed. */
function stay({ server, place }: Parts, hold: Hold, records: KeepPorts): Observable<never> {
  return presence({
    hold,
    server,
    mended() {
      const again$ = defer(() => prepareSocketPlace(place));
      return again$.pipe(switchMap(() => keepNow(records, projectsIn(records.read()))));
    },
  });
}

const assemble = async (options: SupervisorOptions, settings: Settings): Promise<Parts> => {
  const { dataDir, environment, foreground, version, sys } = options;
  const layout = layoutOf(dataDir);
  const log = supervisorLog({ dir: layout.supervisorLogs, foreground });
  const place = { layout, runtimeDir: environment['XDG_RUNTIME_DIR'], uid: process.getuid?.() ?? 0, sys };
  const socketPath = await prepareSocketPlace(place);
  const hello = { protocol: PROTOCOL, version, pid: process.pid, since: new Date().toISOString() };
  const capture = fileCapture({
    dataDir,
    defaults: () => settings.logs,
    onTrouble: log.trouble,
    libc: options.ffi ? libcOf(openLibc()) : undefined,
  });
  const sockets = new HeldSockets(log.trouble);
  const processes = options.ffi ? ownProcesses(options.softFiles) : nodesProcesses();
  const control = controlServer({ socketPath, hello });
  return { options, log, capture, sockets, processes, place, hello, server: control };
};

/** `supervise -c`: nobody waits for the answer, so what goes wrong is in the log. */
const startOf = (manifest: string): Event => ({
  type: 'requested',
  request: requestId(`${UNHEARD}${manifest}`),
  command: { type: 'start', selection: { manifest } },
});

const saveLast = async (records: KeepPorts, { trouble }: SupervisorLog): Promise<void> => {
  const saved$ = keepLast(records, projectsIn(records.read()));
  await lastValueFrom(saved$, { defaultValue: undefined }).catch((error: unknown) =>
    trouble(`the last state is not saved: ${String(error)}`),
  );
};

/** Runs until it was told to end and everything is stopped. Resolves to the exit status. */
export const runSupervisor = async (options: SupervisorOptions, hold: Hold): Promise<number> => {
  const first = await firstEvent(options);
  const parts = await assemble(options, first.settings);
  const { log, server, capture } = parts;
  first.warnings.forEach(log.warn);
  const loop = loopOf(wallClock);
  const companions = companionsOf(parts, loop);
  const { records } = companions;
  const onError = complain(log);
  const subscription = connect(parts, loop, companions).subscribe({
    error: (error: unknown) => onError('loop', error),
  });
  subscription.add(
    follow(parts, loop, companions).subscribe({ error: (error: unknown) => onError('store, views', error) }),
  );
  const quit = firstValueFrom(loop.derived.quit$, { defaultValue: undefined });
  adoptSockets(parts, first);
  loop.post(first);
  // Before descriptors are taken for all output: a supervisor that cannot be asked cannot be helped.
  await server.listen();
  adoptOutputs(capture, loop.read());
  // Not when the first of them is waited for.
  setImmediate(parts.processes.means);
  subscription.add(
    stay(parts, hold, records).subscribe({ error: (error: unknown) => onError('presence', error) }),
  );
  const closeMetrics = await serveMetrics(parts, companions);
  options.manifests.forEach((manifest) => loop.post(startOf(manifest)));
  await quit;

  await saveLast(records, log);
  await closeMetrics();
  await server.close();
  subscription.unsubscribe();
  await endCommands(options.dataDir);
  await capture.close();
  await companions.events.close();
  hold.release();
  await log.close();
  return EXIT.done;
};
