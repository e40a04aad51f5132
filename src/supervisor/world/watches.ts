// Assigns a source to each kind of watch.
import type { Observable } from 'rxjs';
import { manifests } from '../../manifest/manifest-source.ts';
import type { LoadPorts } from '../../manifest/load.ts';
import { probes, verifications } from '../../sources/probes/probes.ts';
import type { ProbePorts } from '../../sources/probes/prober.ts';
import { commands } from '../../sources/process/start-commands.ts';
import { memory, peaks } from '../../sources/process/run-memory.ts';
import { traces, type TracePorts } from '../../sources/process/traces.ts';
import { exits, tree } from '../../sources/process/run-ends.ts';
import { alarms, deadlines, machineUptime, timers, wallClock } from '../../sources/clocks.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Capture, Census, ExitLedger } from '../../streams/domain/ports.ts';
import type { Watch } from '../../streams/domain/watch.ts';

export interface WatchPorts extends ProbePorts {
  readonly ledger: ExitLedger;
  readonly census: Census;
  readonly capture: Capture;
  readonly load: LoadPorts;
  readonly traces: TracePorts;
}

/** Opens a watch, which observes as long as the state lists it. */
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
    case 'command':
      return commands(ports)(watch);
    case 'manifests':
      return manifests(ports.load)(watch);
  }
}
