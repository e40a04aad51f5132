// Builds `Deps`, one object with all parts of a supervisor, before anything runs: options and log, the
// sources and sinks of this machine, the loop, and the parts that react to each new state. Functions take the
// whole object, or the parts that they need.
import { DescriptorBudget } from '../os/descriptor-budget.ts';
import { libcOf, openLibc, type Libc, type OpenedLibc } from '../os/libc/libc.ts';
import { joinSessionKeyring } from '../os/libc/credentials.ts';
import { CommandBook } from '../sinks/process/commands/commands-under-way.ts';
import { RunSockets } from '../sources/probes/notify-sockets.ts';
import { pacesFrom, type Paces } from '../sources/probes/probe-pauses.ts';
import { wallClock } from '../sources/clocks.ts';
import type { Selection } from '../streams/domain/command.ts';
import { fileCapture } from '../sinks/logs/capture.ts';
import type { FileCapture } from '../sinks/logs/capture-ports.ts';
import { supervisorLog, type SupervisorLog } from '../sinks/logs/supervisor-log.ts';
import { HeldSockets } from '../sinks/process/held-sockets.ts';
import { StartGate } from '../sinks/process/spread-starts.ts';
import { controlServer } from '../sources/control/server.ts';
import { notifyPlace, type PlacePorts, prepareSocketPlace } from '../sources/control/socket-place.ts';
import type { Settings } from '../streams/domain/declared/settings.ts';
import { bugText } from '../streams/domain/errors/thrown.ts';
import { commandsLeft, pausesLeft, upgradeText } from '../streams/upgrade/handover.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import type { ClientId, ControlServer } from '../streams/wire/control-ports.ts';
import { PROTOCOL, type Hello } from '../streams/wire/protocol.ts';
import { slotFiles, type SlotFiles } from '../sinks/store/active-slot-file.ts';
import type { Tally } from '../streams/operators/counted.ts';
import { judging, type Judging } from './callers.ts';
import { broughtBackText, guardianWarnings } from './guardian-report.ts';
import type { SupervisorOptions } from './supervisor-options.ts';
import { programCopier, programWarner } from './upgrade/program-copy.ts';
import { isReExecuted, ownProgram } from './upgrade/program.ts';
import { nodesProcesses, ownProcesses, type Processes } from './machine/child-processes.ts';
import type { RecordWriters } from './followers/state-records.ts';
import { type EventLog, eventLog } from './followers/event-log.ts';
import { undeliveredTexts } from '../streams/views/events/alert-events.ts';
import { type AlertSender, alertSender } from './followers/alerts.ts';
import { alertRunner } from './machine/loop-ports.ts';
import { type Measuring, measuring } from './followers/measurements.ts';
import type { Console } from './followers/console.ts';
import { type LastHooks, lastHooks } from './last-hooks.ts';
import { type Loop, loopOf } from '../streams/kernel/loop.ts';
import { stateWriter } from '../sinks/store/save-changes.ts';
import { registryWriter } from '../sinks/store/registry-writer.ts';
import type { SupervisorState } from '../streams/kernel/state.ts';
import { serviceAt } from '../streams/kernel/service-table.ts';
import { programWarnings } from './loader/program-trust.ts';
import { snapshotReader } from './followers/snapshots.ts';
import { treeScans } from '../sources/metrics/tree-scans.ts';
import type { First } from './first-event.ts';
import { stateFor, consoleFor } from './given-manifests.ts';
import type { Snapshot } from '../streams/views/state-snapshot.ts';

/** The parts of a supervisor that are built before the loop. */
interface BasicDeps {
  readonly options: SupervisorOptions;
  readonly log: SupervisorLog;
  readonly capture: FileCapture;
  readonly descriptorBudget: DescriptorBudget;
  readonly sockets: HeldSockets;
  /** The sockets on which runs report their state. */
  readonly notify: RunSockets;
  readonly processes: Processes;
  readonly server: ControlServer;
  /** Decides which callers may use the control socket. */
  readonly admission: Judging;
  readonly place: PlacePorts;
  readonly hello: Hello;
  /** The C library; absent if it cannot be called. */
  readonly libc: Libc | undefined;
  /** The commands of services (such as hooks and health checks) that are running. */
  readonly book: CommandBook;
  /** Queues the starts of processes, so that only a few happen in one turn of the event loop. */
  readonly gate: StartGate;
  readonly paces: Paces;
  /** For each client that watches services: its selection of services. */
  readonly watching: Map<ClientId, Selection>;
  /** The number of replies that wait until their changes are on disk. */
  readonly tally: Tally;
  /** The files with the names of active blue-green slots, and the number of pending writes to them. */
  readonly slots: SlotFiles;
  /**
   * Returns the path of a copy of this program. The copy is made at the first call, and again if it was
   * removed. Throws if it cannot be made, for example because the installed files have changed.
   */
  readonly kept: () => string;
}

/** The parts that react to each new state of the loop. The sinks of the loop are not among them. */
interface Followers {
  readonly records: RecordWriters;
  readonly events: EventLog;
  readonly measured: Measuring;
  readonly alerts: AlertSender;
  /** The console output of services; absent if nothing is printed. */
  readonly screen: Console | undefined;
  readonly hooks: LastHooks;
  /** Returns the latest state in the form from which `status` and similar answers are made. */
  readonly snapshot: () => Snapshot;
}

export interface Deps extends BasicDeps, Followers {
  readonly loop: Loop;
}

/** Returns a function that logs an unexpected error as a bug. */
export const reportUnexpected =
  (log: SupervisorLog) =>
  (name: string, error: unknown): void =>
    log.error(bugText(name, error));

/** Returns the log message for a supervisor that its guardian restarted. */
const backText = ({ guarded, arrival }: SupervisorOptions): string | undefined =>
  guarded === undefined || arrival !== undefined || isReExecuted() ? undefined : broughtBackText(guarded);

const helloFrom = ({ version, guarded, arrival }: SupervisorOptions, opened: OpenedLibc): Hello => ({
  ...{ protocol: PROTOCOL, version, pid: process.pid },
  since: arrival?.handover.since ?? new Date().toISOString(),
  ...(arrival?.resumed !== undefined && { resumed: upgradeText(arrival.handover, arrival.resumed) }),
  ...(guarded && { guardian: { pid: guarded.pid, restarts: guarded.restarts } }),
  ...(opened.tag === 'absent' && { no_calls: opened.detail }),
});

/**
 * Creates the parts that an upgrade hands over. After an upgrade, they contain what the old program handed
 * over.
 */
const handingFor = ({
  arrival,
  dataDir,
  fingerprint,
}: SupervisorOptions): Pick<
  BasicDeps,
  'book' | 'gate' | 'paces' | 'watching' | 'tally' | 'slots' | 'kept'
> => ({
  book: new CommandBook(arrival && commandsLeft(arrival.handover, wallClock.now())),
  gate: new StartGate(),
  paces: pacesFrom(arrival && pausesLeft(arrival.handover, wallClock.now())),
  watching: new Map<ClientId, Selection>(),
  tally: { count: 0 },
  slots: slotFiles(),
  kept: programCopier({ script: ownProgram().script, fingerprint }, layoutOf(dataDir).programs),
});

/**
 * Joins a new session keyring, so that services do not inherit the keyring of the caller. Warns if that is
 * refused. After an upgrade or re-exec the process keeps its keyring.
 */
const leaveCallersKeyring = (libc: Libc, { arrival }: SupervisorOptions, log: SupervisorLog): void => {
  if (arrival !== undefined || isReExecuted()) return;
  const refusal = joinSessionKeyring(libc);
  if (refusal === undefined) return;
  const help = refusal === 'EDQUOT' ? 'raise kernel.keys.maxkeys' : 'allow keyctl in the seccomp profile';
  log.warn(
    `services inherit the session keyring that sup was started with: a new one was refused (keyctl: ${refusal}); ${help}`,
  );
};

/** Builds the parts that come before the loop and prepares the directory of the control socket. */
const basicDeps = async (options: SupervisorOptions, settings: Settings): Promise<BasicDeps> => {
  const { dataDir, environment, foreground, sys } = options;
  const layout = layoutOf(dataDir);
  const log = supervisorLog({ dir: layout.supervisorLogs, foreground });
  const place = { layout, runtimeDir: environment['XDG_RUNTIME_DIR'], uid: process.getuid?.() ?? 0, sys };
  const socketPath = await prepareSocketPlace(place);
  const back = backText(options);
  if (back !== undefined) log.warn(back);
  const opened = openLibc();
  const hello = helloFrom(options, opened);
  const libc = options.ffi ? libcOf(opened) : undefined;
  if (libc !== undefined) leaveCallersKeyring(libc, options, log);
  const descriptorBudget = new DescriptorBudget();
  const capture = fileCapture({
    descriptorBudget,
    dataDir,
    defaults: () => settings.logs,
    logError: log.error,
    onRemoved: log.warn,
    libc,
  });
  const sockets = new HeldSockets(log.error);
  const notify = new RunSockets({ libc, place: notifyPlace(place), leaving: process });
  const processes = options.ffi ? ownProcesses(options.softFiles, descriptorBudget) : nodesProcesses();
  const admission = judging(libc, dataDir);
  const control = controlServer({ socketPath, hello, judge: admission.judge });
  return {
    ...{ options, log, capture, descriptorBudget, sockets, notify, processes },
    ...{ place, hello, libc, server: control, admission },
    ...handingFor(options),
  };
};

const recordWriters = ({ options: { dataDir }, log }: BasicDeps, { read }: Loop): RecordWriters => ({
  states: stateWriter({ dataDir, logError: log.error }),
  registry: registryWriter({ dataDir, logError: log.error }),
  read,
});

/** Returns the problems with slot files (`blue_green.state_path`) of services that still declare one. */
const unkeptSlots = ({ slots }: BasicDeps, { serviceTable }: SupervisorState): readonly string[] =>
  [...slots.troubles].flatMap(([id, text]) =>
    serviceAt(serviceTable, id)?.spec.deployment.blueGreen?.statePath === undefined ? [] : [text],
  );

const alertsOf = (basic: BasicDeps, { derived, read }: Loop, events: EventLog): AlertSender => {
  const { options, log } = basic;
  const { dataDir, version, environment, sys } = options;
  return alertSender(derived, {
    ...{ dataDir, version, environment, sys, read },
    runner: alertRunner(options, basic),
    now: () => wallClock.now() / 1000,
    onEvent: events.add,
    logError: log.warn,
  });
};

/** Builds the parts that react to each new state. Each snapshot collects the current warnings. */
const followersOf = (basic: BasicDeps, loop: Loop, screen: Console | undefined): Followers => {
  const { capture, descriptorBudget, hello, log, options, processes } = basic;
  const { dataDir } = options;
  const told = { logError: log.error, onError: reportUnexpected(log) };
  const measured = measuring(loop, { dataDir, ...told });
  const { read } = loop;
  const records = recordWriters(basic, loop);
  const events = eventLog(loop.derived, {
    ...{ dataDir, hello, ...told },
    continued: options.arrival !== undefined,
  });
  const alerts = alertsOf(basic, loop, events);
  const lost = guardianWarnings(options.guarded, () => process.ppid);
  const replaced = programWarner({ script: ownProgram().script, fingerprint: options.fingerprint }, dataDir);
  const strange = options.sys ? programWarnings(options.environment) : [];
  strange.forEach(log.warn);
  const hooks = lastHooks(basic, loop.derived);
  const troubles = (): readonly string[] => [
    ...hooks.warnings(),
    ...lost(),
    ...replaced(),
    ...strange,
    ...records.states.troubles(),
    ...unkeptSlots(basic, read()),
    ...capture.troubles(),
    ...undeliveredTexts(alerts.open()),
    ...(descriptorBudget.wasScarce() ? [descriptorBudget.advice] : []),
  ];
  const snapshot = snapshotReader({
    ...{ read, hello, dataDir, sys: options.sys, clock: wallClock },
    ...{
      usage: measured.of,
      takeScan: treeScans({ dataDir: options.dataDir, kept: 0 }),
      means: processes.means,
      incidents: alerts.open,
      troubles,
    },
  });
  return { records, events, measured, alerts, screen, hooks, snapshot };
};

/** Builds all parts, and logs the warnings that the first event contains. */
export const buildDeps = async (options: SupervisorOptions, first: First): Promise<Deps> => {
  const basic = await basicDeps(options, first.settings);
  [...first.warnings, ...(first.said ?? [])].forEach(basic.log.warn);
  const loop = loopOf(wallClock, stateFor(options));
  const screen = await consoleFor(options, process.stdout);
  return { ...basic, loop, ...followersOf(basic, loop, screen) };
};
