// Connects the loop to this machine, for a supervisor and for a stop without a supervisor. Each kind of watch
// has a source, and each kind of effect has a sink. An error in one sink does not end the other sinks.
import { dirname } from 'node:path';
import { EMPTY, type Observable } from 'rxjs';
import type { LoadPorts } from '../../manifest/load.ts';
import { manifests } from '../../manifest/manifest-source.ts';
import { launchersOf } from '../../sinks/privilege/launcher-pool.ts';
import { type Mode, provideState } from '../../sinks/privilege/prepare-launch.ts';
import { startTemplate, type Template } from '../../sinks/privilege/start-launcher.ts';
import type { CommandBook } from '../../sinks/process/commands/commands-under-way.ts';
import { commandLedger } from '../../sinks/process/commands/commands-on-disk.ts';
import { commandRunner } from '../../sinks/process/commands/command-runner.ts';
import { hookSink } from '../../sinks/process/commands/hook.ts';
import type { HeldSockets } from '../../sinks/process/held-sockets.ts';
import { signalSink } from '../../sinks/process/kill-tree.ts';
import { type SpawnPorts, spawnSink } from '../../sinks/process/start-run.ts';
import type { StartGate } from '../../sinks/process/spread-starts.ts';
import { startAsService } from '../../sinks/process/start-or-launch.ts';
import { type SlotFiles, slotWriter } from '../../sinks/store/active-slot-file.ts';
import { listeningSockets, tcpCountReader } from '../../os/proc/net-sockets.ts';
import { alarms, deadlines, machineUptime, ownCpuTime, timers, wallClock } from '../../sources/clocks.ts';
import { serviceSocketPath, socketPlace } from '../../sources/control/socket-place.ts';
import { listeningLooks } from '../../sources/probes/listen-lookout.ts';
import type { ProbePorts } from '../../sources/probes/prober.ts';
import type { Paces } from '../../sources/probes/probe-pauses.ts';
import { notifications, type NotificationSources } from '../../sources/probes/notification-sender.ts';
import type { RunSockets } from '../../sources/probes/notify-sockets.ts';
import { probes, verifications } from '../../sources/probes/probes.ts';
import { processScanner } from '../../sources/process/scan-members.ts';
import { holderAt, portWitness } from '../../sources/process/port-witness.ts';
import { exits, tree } from '../../sources/process/run-ends.ts';
import { memory, peaks, resident } from '../../sources/process/run-memory.ts';
import { files } from '../../sources/report-changed-files.ts';
import { commands } from '../../sources/process/start-commands.ts';
import { type Peers, type TracePorts, traces } from '../../sources/process/ancestors-of-caller.ts';
import type { Effect } from '../../streams/domain/effect.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { Capture, ProcessScanner, CommandRunner, ExitLedger, Sink } from '../../streams/domain/ports.ts';
import type { ExitStatus } from '../../streams/domain/service/exit-status.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { ms, type Ms } from '../../streams/domain/time.ts';
import type { Watch } from '../../streams/domain/watch.ts';
import type { Sinks, KernelDeps } from '../../streams/kernel/loop.ts';
import { guarded } from '../../streams/operators/guarded.ts';
import { notesOf } from '../../streams/views/notes/notes.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { Processes } from './child-processes.ts';
import type { RunOptions } from '../supervisor-options.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import type { HiddenPlaces } from '../../streams/launch/launch-facts.ts';
import { credentialsPlace } from '../../streams/launch/mounts/credential-steps.ts';

export interface WatchPorts extends ProbePorts {
  readonly notifications: NotificationSources;
  readonly ledger: ExitLedger;
  readonly scanner: ProcessScanner;
  readonly capture: Capture;
  readonly load: LoadPorts;
  readonly traces: TracePorts;
}

/** Returns the events of a watch. The loop subscribes to them as long as the state lists the watch. */
export function openWatch(ports: WatchPorts, watch: Watch): Observable<Event> {
  const time = { clock: wallClock, uptime: machineUptime };
  switch (watch.type) {
    case 'timer':
      return timers(time)(watch);
    case 'deadline':
      return deadlines(time)(watch);
    case 'alarm':
      return alarms(time)(watch);
    case 'peak':
      return peaks(watch);
    case 'memory':
      return memory(ports)(watch);
    case 'resident':
      return resident(ports)(watch);
    case 'files':
      return files(ports)(watch);
    case 'trace':
      return traces(ports.traces)(watch);
    case 'exit':
      return exits(ports)(watch);
    case 'tree':
      return tree(ports)(watch);
    case 'probe':
      return probes(ports)(watch);
    case 'verify':
      return verifications(ports)(watch);
    case 'notify':
      return ports.notifications.notices(watch);
    case 'watchdog':
      return ports.notifications.watchdogs(watch);
    case 'command':
      return commands(ports)(watch);
    case 'manifests':
      return manifests(ports.load)(watch);
  }
}

interface SinkDeps extends SpawnPorts {
  readonly scanner: ProcessScanner;
  readonly runner: CommandRunner;
  /** Emits when the loop runs its first step. Handed-over commands are continued then. */
  readonly begun$?: Observable<unknown>;
  readonly replies: Sink<'reply'>;
  readonly notes: Sink<'note'>;
  /** The files with the names of active blue-green slots, and the number of pending writes to them. */
  readonly slots?: SlotFiles;
  /** Called with a message when a file, such as a log or a record, cannot be written. */
  readonly logError: (text: string) => void;
  readonly onError: (name: string, error: unknown) => void;
}

const REOPEN_AFTER = ms(100);

/**
 * Returns all sinks of a supervisor. If a sink fails, calls `onError` with the error and subscribes the sink
 * again.
 */
export const sinksOf = (ports: SinkDeps): Sinks => {
  const fenced =
    <T extends Effect['type']>(name: string, sink: Sink<T>): Sink<T> =>
    (effect$) =>
      sink(effect$).pipe(guarded(name, { onError: ports.onError, pause: REOPEN_AFTER }));
  return {
    notes: fenced('note', ports.notes),
    spawns: fenced('spawn', spawnSink(ports)),
    signals: fenced('signal', signalSink(ports)),
    hooks: fenced('run-hook', hookSink(ports)),
    slots: fenced('keep-slot', slotWriter(ports)),
    replies: fenced('reply', ports.replies),
  };
};

interface LoopDeps {
  readonly capture: Capture;
  readonly sockets: HeldSockets;
  readonly processes: Processes;
  readonly peers: Peers;
  readonly notes: Sink<'note'>;
  readonly replies: Sink<'reply'>;
  /** Called with a message when a file, such as a log or a record, cannot be written. */
  readonly logError: (text: string) => void;
  /** Called with a message about a mistake of a service or of the user. */
  readonly warn: (text: string) => void;
  /** Called with an unexpected error, and the name of the part that failed. */
  readonly onError: (name: string, error: unknown) => void;
  readonly happened$: Observable<Event>;
  /** What an upgrade hands over to the next program. Absent in `sup stop` if no supervisor runs. */
  readonly handing?: Handing;
  /** Called after each attempt of a probe, with its duration, for the metrics. */
  readonly onProbed?: (service: ServiceId, took: Ms) => void;
}

interface Handing {
  readonly notify: RunSockets;
  readonly book: CommandBook;
  readonly paces: Paces;
  readonly gate: StartGate;
  readonly slots: SlotFiles;
  /** Emits when the loop runs its first step. Handed-over commands are continued then. */
  readonly begun$: Observable<unknown>;
}

/**
 * Returns a function that resolves with the exit of a handed-over command. Each exit can be read only once.
 */
const endsIn =
  (ledger: ExitLedger) =>
  (process: ProcessRef): Promise<ExitStatus> | undefined =>
    ledger.exitOf(process)?.finally(() => ledger.forget(process));

interface AlertRunnerDeps extends Pick<LoopDeps, 'capture' | 'processes'> {
  readonly book: CommandBook;
}

/** Returns the runner for commands of `alerts`, which run as the supervisor. */
export const alertRunner = (
  { dataDir, tags }: RunOptions,
  { capture, processes: { start, ledger }, book }: AlertRunnerDeps,
): CommandRunner =>
  commandRunner({
    ...{ start, capture, book, scanner: processScanner({ dataDir, tags }), endOf: endsIn(ledger) },
    ledger: commandLedger(dataDir),
  });

/** Returns the directories that are hidden from confined services. */
const hiddenFor = ({ dataDir, environment, sys, launcher = '' }: RunOptions, uid: number): HiddenPlaces => {
  const layout = layoutOf(dataDir);
  const socket = socketPlace({ layout, runtimeDir: environment['XDG_RUNTIME_DIR'], uid, sys });
  const places = [...new Set([dataDir, dirname(socket)])];
  const kept = [dirname(serviceSocketPath(dataDir, { sys }))];
  return { places, kept, hasLauncher: places.some((path) => launcher.startsWith(`${path}/`)) };
};

/** Returns the functions that start commands on behalf of a service, and that create its state directory. */
const startsOf = (ports: Parameters<typeof startAsService>[0]) => ({
  startAs: startAsService(ports),
  provideState: (spec: ServiceSpec) => provideState(spec, ports.mode),
});

const modeFor = (place: RunOptions, uid: number): Mode => {
  const { dataDir, sys, softFiles, launcher = '' } = place;
  const credentialsAt = credentialsPlace(dataDir, { sys });
  return { privileged: sys, launcher, softFiles, hidden: hiddenFor(place, uid), credentialsAt };
};

/**
 * Returns a function that starts the template, the process from which launchers are forked. The function
 * returns `undefined` if no template can be used and every launcher must be started directly.
 */
const templateBy = (kin: Processes['kin'], launcher: string) => (): Template | undefined => {
  const own = kin();
  return own === undefined ? undefined : startTemplate(own, launcher);
};

/**
 * Returns a function that resolves to the exit of a process that the template forked. Without the C library
 * there is no template.
 */
const endOfKin =
  (kin: Processes['kin']) =>
  async (pid: number): Promise<ExitStatus> =>
    kin()?.children.endOf(pid) ?? { tag: 'unknown' };

const NO_NOTIFICATIONS: NotificationSources = { notices: () => EMPTY, watchdogs: () => EMPTY };

/**
 * Returns the sources of messages of runs about themselves. Without a supervisor these sources emit nothing.
 */
const notificationsOf = (
  { handing, logError, warn }: LoopDeps,
  { scanner, uid }: { readonly scanner: ProcessScanner; readonly uid: number },
): NotificationSources =>
  handing === undefined
    ? NO_NOTIFICATIONS
    : notifications({ sockets: handing.notify, scanner, uid, logError, warn });

/** The functions that read this machine to find new listening sockets. */
const LOOKS = {
  now: machineUptime,
  look: listeningSockets,
  countInUse: tcpCountReader(),
  cpuTime: ownCpuTime,
};

/** Returns the sources and sinks of this machine, in the form that the loop needs. */
export const loopPorts = (place: RunOptions, deps: LoopDeps): KernelDeps => {
  const { dataDir, environment, sys, launcher = '', tags } = place;
  const { capture, sockets, peers, notes, replies, logError, onError, happened$, onProbed, handing } = deps;
  const { start, ledger, kin, means } = deps.processes;
  const isJudging = (): boolean => means() !== 'node';
  const scanner = processScanner({ dataDir, tags });
  const load = { environment, uid: process.getuid?.() ?? 0, sys };
  const mode = { ...modeFor(place, load.uid), isJudging };
  const launchers = launchersOf({ template: templateBy(kin, launcher), logError, endOf: endOfKin(kin) });
  const runner = commandRunner({
    ...startsOf({ start, mode, launchers }),
    ...{ start, sys, capture, scanner, endOf: endsIn(ledger), ledger: commandLedger(dataDir) },
    ...(handing && { book: handing.book }),
  });
  const own = { ...handing, environment, dataDir, mode, start, ledger, launchers };
  const ports = {
    ...own,
    scanner,
    witness: portWitness({ dataDir, scanner }),
    listening$: listeningLooks(LOOKS),
    runner,
    capture,
    sockets,
    traces: { peers, privileged: sys },
    notifications: notificationsOf(deps, { scanner, uid: load.uid }),
    load,
    ...(onProbed && { onProbed }),
  };
  const around: KernelDeps = {
    ...sinksOf({ ...ports, holderAt: holderAt(dataDir), replies, notes, logError, onError }),
    notesOf,
    open(watch) {
      return openWatch(ports, watch);
    },
    onWatchError: ({ key }, error) => onError(key, error),
    happened$,
  };
  return around;
};
