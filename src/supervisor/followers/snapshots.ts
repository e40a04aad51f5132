// Reads the latest state as a snapshot for the views (`status`, `inspect` and others).
import { childrenIn } from '../../streams/domain/service/child.ts';
import { INSTALL_FFI } from '../../os/libc/libc.ts';
import { processCommand, processName } from '../../os/proc/process-facts.ts';
import { statOfProcess } from '../../os/proc/process-stat.ts';
import type { TakeScan } from '../../sources/metrics/tree-scans.ts';
import { listeningPorts } from '../../sources/process/listening-ports.ts';
import type { OpenIncident } from '../../streams/alerts/incidents.ts';
import { unitMark } from '../../streams/env/run-tag.ts';
import { manifestRemedy } from '../../streams/domain/errors/error.ts';
import type { Found } from '../../streams/domain/event.ts';
import { shownId, type ServiceId } from '../../streams/domain/ids.ts';
import type { Clock } from '../../streams/domain/ports.ts';
import { runsOf } from '../../streams/domain/service/runs-of.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import { serviceAt, servicesOf } from '../../streams/kernel/service-table.ts';
import { select } from '../../streams/kernel/requests/selected-services.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';
import type { Counted, Sample, TreeScan } from '../../streams/metrics/sample.ts';
import { type SampledRun, sampledRun } from '../../streams/metrics/sampled-runs.ts';
import type { NamedProcess, Snapshot } from '../../streams/views/state-snapshot.ts';
import { undoneText } from '../../streams/views/words/undone-text.ts';
import type { ProcessStart } from '../../streams/wire/documents/documents.ts';
import type { Hello } from '../../streams/wire/protocol.ts';

interface ReadPorts {
  readonly read: () => SupervisorState;
  readonly hello: Hello;
  readonly dataDir: string;
  /** True for a privileged supervisor (`--sys`). */
  readonly sys: boolean;
  readonly clock: Clock;
  /** Returns whether processes are started by the C library or by Node. */
  readonly means: () => ProcessStart;
  readonly incidents?: () => readonly OpenIncident[];
  readonly usage?: (service: Service) => Sample | undefined;
  /** Scans the process trees of runs. Absent: the processes of children are not listed. */
  readonly takeScan?: TakeScan;
  /** Returns the current warnings of the other parts of the supervisor. */
  readonly troubles: () => readonly string[];
}

const brokenManifests = ({ manifests }: SupervisorState): readonly string[] =>
  Object.entries(manifests)
    .filter(([, problems]) => problems.some(({ severity }) => severity === 'error'))
    .map(
      ([path]) => `${path} is invalid; its services keep its last valid version (${manifestRemedy(path)})`,
    );

const undeclaredRunText = ({ service, run, process: { pid } }: Found): string =>
  `${shownId(service)} is alive (run ${run}, pid ${pid}), and no registered manifest declares it`;

const undeclaredRunTexts = (state: SupervisorState): readonly string[] =>
  state.undeclaredRuns.filter(({ process }) => statOfProcess(process) !== undefined).map(undeclaredRunText);

/** Returns a warning about declared keys that have no effect because the C library cannot be called. */
const undone = (
  { serviceTable }: SupervisorState,
  { hello, sys }: Pick<ReadPorts, 'hello' | 'sys'>,
): readonly string[] => {
  if (hello.no_calls === undefined) return [];
  const keys = undoneText(
    servicesOf(serviceTable).map(({ spec }) => spec),
    sys,
  );
  return keys === undefined
    ? []
    : [`not carried out without calls to the C library (${hello.no_calls}): ${keys}; ${INSTALL_FFI}`];
};

const childRuns = (service: Service): readonly SampledRun[] => {
  const { id } = service.spec;
  return childrenIn(service).flatMap(({ run, actual }) =>
    'process' in actual ? [{ service: id, leader: actual.process, mark: unitMark(id, run) }] : [],
  );
};

const ownRuns = (service: Service): readonly SampledRun[] => [
  ...runsOf(service).flatMap(sampledRun),
  ...childRuns(service),
];

type RunsOf = (service: Service) => readonly SampledRun[];

/**
 * Returns a function that returns the processes of the runs that `runsIn` selects, for one service. Its first
 * call scans the runs of all services.
 */
const treesOf = (services: readonly Service[], takeScan: TakeScan | undefined, runsIn: RunsOf) => {
  let trees: TreeScan['trees'] | undefined;
  return (id: ServiceId): readonly Counted[] => {
    const runs = trees === undefined ? services.flatMap(runsIn) : [];
    trees ??= runs.length === 0 ? new Map() : takeScan?.(runs).trees;
    return trees?.get(id)?.members ?? [];
  };
};

const heldPorts = ({ spec }: Service): readonly number[] =>
  (spec.sockets ?? []).flatMap(({ listen }) => (listen.tag === 'tcp' ? [listen.port] : []));

/**
 * Returns a function that returns the ports on which a service listens. The first call scans all processes.
 */
const listeningIn = (
  { serviceTable }: SupervisorState,
  takeScan: TakeScan,
): NonNullable<Snapshot['listening']> => {
  const trees = treesOf(servicesOf(serviceTable), takeScan, ownRuns);
  const ports = listeningPorts();
  return (id) => {
    const service = serviceAt(serviceTable, id);
    if (service === undefined) return undefined;
    const pids = trees(id).map(({ pid }) => pid);
    return ports(
      pids.toSorted((one, other) => one - other),
      heldPorts(service),
    );
  };
};

const named = (one: Counted): NamedProcess => ({
  ...one,
  name: processName(one),
  command: processCommand(one),
});

const namedOf = (members: readonly Counted[]): readonly NamedProcess[] | undefined =>
  members.length === 0 ? undefined : members.map(named);

/** Returns a function that reads the latest state as a snapshot, with current warnings. */
export const snapshotReader =
  ({ read, hello, dataDir, sys, clock, means, usage, takeScan, ...told }: ReadPorts): (() => Snapshot) =>
  () => {
    const state = read();
    const sampled = (id: ServiceId): Sample | undefined => {
      const service = serviceAt(state.serviceTable, id);
      return service && usage?.(service);
    };
    const ofChildren = treesOf(servicesOf(state.serviceTable), takeScan, childRuns);
    return {
      services: servicesOf(state.serviceTable),
      byId: (id) => serviceAt(state.serviceTable, id),
      projects: Object.values(state.projects),
      readings: state.readings,
      profiles: state.profiles,
      settings: state.settings,
      select: (selection) => select(state, selection),
      dataDir,
      now: clock.now(),
      incidents: told.incidents?.() ?? [],
      usage: sampled,
      ...(takeScan && { listening: listeningIn(state, takeScan) }),
      ...(state.status?.snapshotMode === 'detailed' && {
        processes: (id) => namedOf([...(sampled(id)?.members ?? []), ...ofChildren(id)]),
      }),
      supervisor: {
        running: true,
        ...{ pid: hello.pid, version: hello.version, since: hello.since },
        restarts: hello.guardian?.restarts ?? null,
        process_start: means(),
        warnings: [
          ...state.warnings,
          ...brokenManifests(state),
          ...undone(state, { hello, sys }),
          ...undeclaredRunTexts(state),
          ...told.troubles(),
        ],
      },
    };
  };
