// The followers of the loop besides its sinks: records, events, samples, and the snapshot of the latest
// state.
import { listenForMetrics } from '../sinks/metrics/metrics-listener.ts';
import { registryWriter } from '../sinks/store/registry-writer.ts';
import { stateWriter } from '../sinks/store/state-writer.ts';
import { wallClock } from '../sources/clocks.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import type { Loop } from '../streams/kernel/loop.ts';
import { serviceAt } from '../streams/kernel/roster.ts';
import type { SupervisorState } from '../streams/kernel/state.ts';
import type { Snapshot } from '../streams/views/state-snapshot.ts';
import { guardianWarnings } from './guardian-report.ts';
import type { Console } from './followers/console.ts';
import { eventLog, type EventLog } from './followers/event-log.ts';
import { measuring, type Measuring } from './followers/measurements.ts';
import { complain, type Parts } from './parts.ts';
import type { RecordWriters } from './followers/state-records.ts';
import { treeLooks } from '../sources/metrics/tree-looks.ts';
import { snapshotReader } from './followers/snapshots.ts';
import { lastHooks, type LastHooks } from './last-hooks.ts';
import { programWarnings } from './loader/program-trust.ts';
import { copyWarnings } from './upgrade/program-copy.ts';

/** Followers of the loop: the records on disk, events, measurements and the console. */
export interface Companions {
  readonly records: RecordWriters;
  readonly events: EventLog;
  readonly measured: Measuring;
  /** Absent if nothing is printed. */
  readonly screen: Console | undefined;
  readonly hooks: LastHooks;
  /** Returns the latest state as the views read it. */
  readonly snapshot: () => Snapshot;
}

const keepers = ({ options: { dataDir }, log }: Parts, { read }: Loop): RecordWriters => ({
  states: stateWriter({ dataDir, onTrouble: log.trouble }),
  registry: registryWriter({ dataDir, onTrouble: log.trouble }),
  read,
});

/** Returns the slot file problems of services that still declare such a file. */
const unkeptSlots = ({ slots }: Parts, { roster }: SupervisorState): readonly string[] =>
  [...slots.troubles].flatMap(([id, text]) =>
    serviceAt(roster, id)?.spec.deployment.blueGreen?.statePath === undefined ? [] : [text],
  );

/** Creates the followers of this loop. Every snapshot collects the current warnings again. */
export const companionsOf = (parts: Parts, loop: Loop, screen: Console | undefined): Companions => {
  const { capture, descriptorBudget, hello, log, options, processes } = parts;
  const { dataDir } = options;
  const told = { onTrouble: log.trouble, onError: complain(log) };
  const measured = measuring(loop, { dataDir, ...told });
  const { read } = loop;
  const records = keepers(parts, loop);
  const events = eventLog(loop.derived, {
    ...{ dataDir, hello, ...told },
    continued: options.arrival !== undefined,
  });
  const lost = guardianWarnings(options.guarded, () => process.ppid);
  const copied = copyWarnings(dataDir);
  const strange = options.sys ? programWarnings(options.environment) : [];
  strange.forEach(log.warn);
  const hooks = lastHooks(parts, loop.derived);
  const troubles = (): readonly string[] => [
    ...hooks.warnings(),
    ...lost(),
    ...copied,
    ...strange,
    ...records.states.troubles(),
    ...unkeptSlots(parts, read()),
    ...capture.troubles(),
    ...(descriptorBudget.wasScarce() ? [descriptorBudget.advice] : []),
  ];
  const snapshot = snapshotReader({
    ...{ read, hello, dataDir, sys: options.sys, clock: wallClock },
    ...{
      usage: measured.of,
      look: treeLooks({ dataDir: options.dataDir, kept: 0 }),
      means: processes.means,
      troubles,
    },
  });
  return { records, events, measured, screen, hooks, snapshot };
};

/** Serves metrics if an address is configured. A failure to listen is only logged: services matter more. */
export const serveMetrics = async (
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
