// The sources and sinks of this machine around the loop, for a supervisor and for a stop without one.
import { dirname } from 'node:path';
import type { Observable } from 'rxjs';
import { socketPlace } from '../../sources/control/socket-place.ts';
import type { HiddenPlaces } from '../../streams/launch/launch-facts.ts';
import { notesOf } from '../../streams/views/notes/notes.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { CommandBook } from '../../sinks/process/commands/command-book.ts';
import { commandLedger } from '../../sinks/process/commands/command-ledger.ts';
import { commandRunner } from '../../sinks/process/commands/command-runner.ts';
import { startAsService } from '../../sinks/process/start-process.ts';
import { launchersOf } from '../../sinks/privilege/launchers.ts';
import { startTemplate, type Template } from '../../sinks/privilege/start-launcher.ts';
import type { StartGate } from '../../sinks/process/start-gate.ts';
import type { HeldSockets } from '../../sinks/process/held-sockets.ts';
import { procCensus } from '../../sources/process/census.ts';
import type { Peers } from '../../sources/process/traces.ts';
import { holderAt, portWitness } from '../../sources/process/port-witness.ts';
import type { Paces } from '../../sources/probes/prober.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Capture, ExitLedger, Sink } from '../../streams/domain/ports.ts';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { Ms } from '../../streams/domain/time.ts';
import type { SlotFiles } from '../../sinks/store/slot-writer.ts';
import type { Surroundings } from '../../streams/kernel/loop.ts';
import type { Place } from '../options.ts';
import type { Processes } from './processes.ts';
import { sinksOf } from './sinks.ts';
import { openWatch } from './watches.ts';

interface Neighbours {
  readonly capture: Capture;
  readonly sockets: HeldSockets;
  readonly processes: Processes;
  readonly peers: Peers;
  readonly notes: Sink<'note'>;
  readonly replies: Sink<'reply'>;
  /** Receives what cannot be kept. */
  readonly onTrouble: (text: string) => void;
  /** Receives unexpected errors, with the place. */
  readonly onError: (name: string, error: unknown) => void;
  readonly happened$: Observable<Event>;
  /** What upgrades hand over and take over; absent if there are none. */
  readonly handing?: Handing;
  /** Receives how long a probe took. */
  readonly onProbed?: (service: ServiceId, took: Ms) => void;
}

interface Handing {
  readonly book: CommandBook;
  readonly paces: Paces;
  readonly gate: StartGate;
  readonly slots: SlotFiles;
  /** Emits with the first step. */
  readonly begun$: Observable<unknown>;
}

/** Returns the exit of a command that was handed over; each is asked for once. */
const endsIn =
  (ledger: ExitLedger) =>
  (process: ProcessRef): Promise<ExitStatus> | undefined =>
    ledger.exitOf(process)?.finally(() => ledger.forget(process));

/** Returns the places that are hidden from confined services. */
const hiddenFor = ({ dataDir, environment, sys, launcher = '' }: Place, uid: number): HiddenPlaces => {
  const layout = layoutOf(dataDir);
  const socket = socketPlace({ layout, runtimeDir: environment['XDG_RUNTIME_DIR'], uid, sys });
  const places = [...new Set([dataDir, dirname(socket)])];
  return { places, hasLauncher: places.some((path) => launcher.startsWith(`${path}/`)) };
};

/** Returns a template, or `undefined` if every child must be started directly. */
const templateBy = (kin: Processes['kin'], launcher: string) => (): Template | undefined => {
  const own = kin();
  return own === undefined ? undefined : startTemplate(own, launcher);
};

/** Returns the exit of a template's copy, which only the C library makes. */
const endOfKin =
  (kin: Processes['kin']) =>
  async (pid: number): Promise<ExitStatus> =>
    kin()?.children.endOf(pid) ?? { tag: 'unknown' };

/** Returns the sources and sinks of this machine, as the loop takes them. */
export const surroundings = (place: Place, neighbours: Neighbours): Surroundings => {
  const { dataDir, environment, sys, softFiles, launcher = '' } = place;
  const { capture, sockets, peers, notes, replies, onTrouble, onError, happened$, onProbed } = neighbours;
  const { start, ledger, kin, means } = neighbours.processes;
  const isJudging = (): boolean => means() !== 'node';
  const census = procCensus({ dataDir });
  const { handing } = neighbours;
  const load = { environment, uid: process.getuid?.() ?? 0, sys };
  const mode = { privileged: sys, launcher, softFiles, hidden: hiddenFor(place, load.uid), isJudging };
  const template = templateBy(kin, launcher);
  const launchers = launchersOf({ template, onTrouble, endOf: endOfKin(kin) });
  const runner = commandRunner({
    startAs: startAsService({ start, mode, launchers }),
    ...{ start, capture, census, endOf: endsIn(ledger), ledger: commandLedger(dataDir) },
    ...(handing && { book: handing.book }),
  });
  const witness = portWitness({ dataDir, census });
  const own = { ...handing, environment, dataDir, mode, start, ledger, launchers };
  const ports = {
    ...own,
    census,
    witness,
    runner,
    capture,
    sockets,
    traces: { peers, privileged: sys },
    load,
    ...(onProbed && { onProbed }),
  };
  const around: Surroundings = {
    ...sinksOf({ ...ports, holderAt: holderAt(dataDir), replies, notes, onTrouble, onError }),
    notesOf,
    open(watch) {
      return openWatch(ports, watch);
    },
    onWatchError: ({ key }, error) => onError(key, error),
    happened$,
  };
  return around;
};
