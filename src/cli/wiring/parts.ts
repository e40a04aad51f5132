// What a supervisor is put together from, before anything runs.
import { Headroom } from '../../os/files/headroom.ts';
import { libcOf, openLibc } from '../../os/libc.ts';
import { fileCapture, type FileCapture } from '../../sinks/logs/capture.ts';
import { supervisorLog, type SupervisorLog } from '../../sinks/logs/supervisor-log.ts';
import { HeldSockets } from '../../sinks/process/held-sockets.ts';
import { controlServer } from '../../sources/control/server.ts';
import { prepareSocketPlace, type PlacePorts } from '../../sources/control/socket-place.ts';
import type { Settings } from '../../streams/domain/declared/settings.ts';
import { bugText } from '../../streams/domain/errors/thrown.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { ControlServer } from '../../streams/wire/ports.ts';
import { PROTOCOL, type Hello } from '../../streams/wire/protocol.ts';
import { broughtBackText } from './guarded.ts';
import type { SupervisorOptions } from './options.ts';
import { nodesProcesses, ownProcesses, type Processes } from './world/processes.ts';

export interface Parts {
  readonly options: SupervisorOptions;
  readonly log: SupervisorLog;
  readonly capture: FileCapture;
  readonly headroom: Headroom;
  readonly sockets: HeldSockets;
  readonly processes: Processes;
  readonly server: ControlServer;
  readonly place: PlacePorts;
  readonly hello: Hello;
}

/** What goes wrong where nobody expected it is a line in the log, and a bug. */
export const complain =
  (log: SupervisorLog) =>
  (name: string, error: unknown): void =>
    log.trouble(bugText(name, error));

/** Everything of this machine; nothing of it is at work yet, but the place of its socket is ready. */
export const assemble = async (options: SupervisorOptions, settings: Settings): Promise<Parts> => {
  const { dataDir, environment, foreground, version, sys } = options;
  const layout = layoutOf(dataDir);
  const log = supervisorLog({ dir: layout.supervisorLogs, foreground });
  const place = { layout, runtimeDir: environment['XDG_RUNTIME_DIR'], uid: process.getuid?.() ?? 0, sys };
  const socketPath = await prepareSocketPlace(place);
  const { guarded } = options;
  const back = guarded && broughtBackText(guarded);
  if (back !== undefined) log.warn(back);
  const hello = {
    ...{ protocol: PROTOCOL, version, pid: process.pid, since: new Date().toISOString() },
    ...(guarded && { guardian: { pid: guarded.pid, restarts: guarded.restarts } }),
  };
  const headroom = new Headroom();
  const capture = fileCapture({
    headroom,
    dataDir,
    defaults: () => settings.logs,
    onTrouble: log.trouble,
    libc: options.ffi ? libcOf(openLibc()) : undefined,
  });
  const sockets = new HeldSockets(log.trouble);
  const processes = options.ffi ? ownProcesses(options.softFiles) : nodesProcesses();
  const control = controlServer({ socketPath, hello });
  return { options, log, capture, headroom, sockets, processes, place, hello, server: control };
};
