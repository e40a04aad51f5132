// Which source looks after which kind of watch.
import type { Observable } from 'rxjs';
import { manifests } from '../../sources/manifest/source.ts';
import type { LoadPorts } from '../../sources/manifest/load.ts';
import { probes, type ProbePorts } from '../../sources/probes/probes.ts';
import { commands } from '../../sources/process/commands.ts';
import { exits } from '../../sources/process/exits.ts';
import { tree } from '../../sources/process/tree.ts';
import { alarms } from '../../sources/time/alarms.ts';
import { machineUptime, wallClock } from '../../sources/time/clock.ts';
import { deadlines } from '../../sources/time/deadlines.ts';
import { timers } from '../../sources/time/timers.ts';
import type { Event } from '../../streams/domain/event.ts';
import type { Capture, Census, ExitLedger } from '../../streams/domain/ports.ts';
import type { Watch } from '../../streams/domain/watch.ts';

export interface WatchPorts extends ProbePorts {
  readonly ledger: ExitLedger;
  readonly census: Census;
  readonly capture: Capture;
  readonly load: LoadPorts;
}

/** Opens a watch: what is observed for as long as the state lists it. */
export const openWatch = (ports: WatchPorts): ((watch: Watch) => Observable<Event>) => {
  const clock = wallClock;
  const timer = timers({ clock });
  const deadline = deadlines({ clock });
  const alarm = alarms({ clock, uptime: machineUptime });
  const exit = exits(ports);
  const survey = tree(ports);
  const probe = probes(ports);
  const command = commands(ports);
  const load = manifests(ports.load);
  return (watch) => {
    switch (watch.type) {
      case 'timer':
        return timer(watch);
      case 'deadline':
        return deadline(watch);
      case 'alarm':
        return alarm(watch);
      case 'exit':
        return exit(watch);
      case 'tree':
        return survey(watch);
      case 'probe':
        return probe(watch);
      case 'command':
        return command(watch);
      case 'manifests':
        return load(watch);
    }
  };
};
