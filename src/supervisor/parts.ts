// The parts that a supervisor is built from, before anything runs.
import { DescriptorBudget } from '../os/own-descriptors.ts';
import { libcOf, openLibc, type Libc, type OpenedLibc } from '../os/libc/libc.ts';
import { joinSessionKeyring } from '../os/libc/credentials.ts';
import { CommandBook } from '../sinks/process/commands/command-book.ts';
import { pacesFrom, type Paces } from '../sources/probes/prober.ts';
import { wallClock } from '../sources/clocks.ts';
import type { Selection } from '../streams/domain/command.ts';
import { fileCapture } from '../sinks/logs/capture.ts';
import type { FileCapture } from '../sinks/logs/capture-ports.ts';
import { supervisorLog, type SupervisorLog } from '../sinks/logs/supervisor-log.ts';
import { HeldSockets } from '../sinks/process/held-sockets.ts';
import { StartGate } from '../sinks/process/start-gate.ts';
import { controlServer } from '../sources/control/server.ts';
import { type PlacePorts, prepareSocketPlace } from '../sources/control/socket-place.ts';
import type { Settings } from '../streams/domain/declared/settings.ts';
import { bugText } from '../streams/domain/errors/thrown.ts';
import { commandsLeft, pausesLeft, upgradeText } from '../streams/upgrade/handover.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import type { ClientId, ControlServer } from '../streams/wire/control-ports.ts';
import { PROTOCOL, type Hello } from '../streams/wire/protocol.ts';
import { slotFiles, type SlotFiles } from '../sinks/store/slot-writer.ts';
import type { Tally } from '../streams/operators/counted.ts';
import { judging, type Judging } from './callers.ts';
import { broughtBackText } from './guardian-report.ts';
import type { SupervisorOptions } from './supervisor-options.ts';
import { programKeeper } from './upgrade/program-copy.ts';
import { isReExecuted, ownProgram } from './upgrade/program.ts';
import { nodesProcesses, ownProcesses, type Processes } from './machine/child-processes.ts';

export interface Parts {
  readonly options: SupervisorOptions;
  readonly log: SupervisorLog;
  readonly capture: FileCapture;
  readonly descriptorBudget: DescriptorBudget;
  readonly sockets: HeldSockets;
  readonly processes: Processes;
  readonly server: ControlServer;
  /** Decides which callers may use the control socket. */
  readonly admission: Judging;
  readonly place: PlacePorts;
  readonly hello: Hello;
  /** Absent if the C library cannot be called. */
  readonly libc: Libc | undefined;
  /** The running commands of services. */
  readonly book: CommandBook;
  /** Queues starts until their turn. */
  readonly gate: StartGate;
  readonly paces: Paces;
  /** The selection that each client watches. */
  readonly watching: Map<ClientId, Selection>;
  /** Counts the answers that are being saved. */
  readonly tally: Tally;
  /** Slots that are being written to their files. */
  readonly slots: SlotFiles;
  /**
   * Returns the path of a copy of this program, made once and again if it was removed. Throws if it cannot be
   * made, also when the installed files have changed.
   */
  readonly kept: () => string;
}

/** Logs an unexpected error as a bug. */
export const complain =
  (log: SupervisorLog) =>
  (name: string, error: unknown): void =>
    log.trouble(bugText(name, error));

/** Returns the log message of a restart. A program that continues in the same process was not restarted. */
const backText = ({ guarded, arrival }: SupervisorOptions): string | undefined =>
  guarded === undefined || arrival !== undefined || isReExecuted() ? undefined : broughtBackText(guarded);

const helloFrom = ({ version, guarded, arrival }: SupervisorOptions, opened: OpenedLibc): Hello => ({
  ...{ protocol: PROTOCOL, version, pid: process.pid },
  since: arrival?.handover.since ?? new Date().toISOString(),
  ...(arrival?.resumed !== undefined && { resumed: upgradeText(arrival.handover, arrival.resumed) }),
  ...(guarded && { guardian: { pid: guarded.pid, restarts: guarded.restarts } }),
  ...(opened.tag === 'absent' && { no_calls: opened.detail }),
});

/** Creates the parts that are handed over, from what was handed over to this program. */
const handingFor = ({
  arrival,
  dataDir,
  fingerprint,
}: SupervisorOptions): Pick<Parts, 'book' | 'gate' | 'paces' | 'watching' | 'tally' | 'slots' | 'kept'> => ({
  book: new CommandBook(arrival && commandsLeft(arrival.handover, wallClock.now())),
  gate: new StartGate(),
  paces: pacesFrom(arrival && pausesLeft(arrival.handover, wallClock.now())),
  watching: new Map<ClientId, Selection>(),
  tally: { count: 0 },
  slots: slotFiles(),
  kept: programKeeper({ script: ownProgram().script, fingerprint }, layoutOf(dataDir).programs),
});

/** Joins a new session keyring. After an upgrade or a re-execution the process still has its first one. */
const leaveCallersKeyring = (libc: Libc, { arrival }: SupervisorOptions, log: SupervisorLog): void => {
  if (arrival !== undefined || isReExecuted()) return;
  const refusal = joinSessionKeyring(libc);
  if (refusal === undefined) return;
  const help = refusal === 'EDQUOT' ? 'raise kernel.keys.maxkeys' : 'allow keyctl in the seccomp profile';
  log.warn(
    `services inherit the session keyring that sup was started with: a new one was refused (keyctl: ${refusal}); ${help}`,
  );
};

/** Builds all parts for this machine. None of them runs yet, but the place of the socket is ready. */
export const assemble = async (options: SupervisorOptions, settings: Settings): Promise<Parts> => {
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
    onTrouble: log.trouble,
    libc,
  });
  const sockets = new HeldSockets(log.trouble);
  const processes = options.ffi ? ownProcesses(options.softFiles, descriptorBudget) : nodesProcesses();
  const admission = judging(libc, dataDir);
  const control = controlServer({ socketPath, hello, judge: admission.judge });
  return {
    ...{ options, log, capture, descriptorBudget, sockets, processes },
    ...{ place, hello, libc, server: control, admission },
    ...handingFor(options),
  };
};
