// Lists the services, with their recorded processes and their users, so that leftover runs can be found when
// only the records and the process table exist.
import { findAccount, machineIds } from '../../os/accounts.ts';
import { innerRoot } from '../../streams/launch/namespace-steps.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import { grouped } from '../../streams/domain/grouped.ts';
import type { RunId, ServiceId } from '../../streams/domain/ids.ts';
import { NO_PROCESS, sameProcess, type ProcessRef } from '../../streams/domain/service/process.ts';
import { runsOf } from '../../streams/domain/service/runs-of.ts';
import type { Service } from '../../streams/domain/service/service.ts';

interface RecordedRun {
  readonly run: RunId;
  readonly process: ProcessRef;
  /** True if this run is a child that the service requested with `sup spawn`. */
  readonly isChild: boolean;
}

export interface KnownService {
  readonly id: ServiceId;
  /** The uids with which runs of the service are started, besides the uid of the supervisor. */
  readonly users: ReadonlySet<number>;
  readonly recorded: readonly RecordedRun[];
}

type Running = Pick<Service, 'actual'>;

const runOf = ({ actual }: Running, isChild: boolean): readonly RecordedRun[] =>
  'process' in actual && !sameProcess(actual.process, NO_PROCESS)
    ? [{ run: actual.run, process: actual.process, isChild }]
    : [];

/** Returns the processes of the service's own run, of the other run of a rollout, and of its children. */
const recordedOf = (service: Service): readonly RecordedRun[] => [
  ...runsOf(service).flatMap((run) => runOf(run, false)),
  ...(service.children ?? []).flatMap((child) => runOf(child, true)),
];

const specsOf = ({ spec, revised, rollout }: Service): readonly ServiceSpec[] =>
  [spec, revised, rollout?.other.spec].filter((one) => one !== undefined);

/**
 * Returns the uid of a user; `undefined` if the name service does not answer. Processes of the service are
 * then recognised only by the uids in the records.
 */
const uidOf = async (user: string): Promise<number | undefined> => {
  try {
    return (await findAccount(user))?.uid ?? (/^\d+$/.test(user) ? Number(user) : undefined);
  } catch {
    return undefined;
  }
};

/**
 * Returns the services in the records and in the given manifests. Users are looked up only for root, because
 * another user cannot have started a service as a different user.
 */
export const knownServices = async (
  recorded: readonly Service[],
  declared: readonly ServiceSpec[] = [],
): Promise<readonly KnownService[]> => {
  const specs = [...recorded.flatMap(specsOf), ...declared];
  const isRoot = process.getuid?.() === 0;
  const names = isRoot ? specs.flatMap(({ privilege }) => privilege.user ?? []) : [];
  const uids = new Map<string, number | undefined>();
  for (const name of new Set(names)) uids.set(name, await uidOf(name));
  const byId = grouped(specs, ({ id }) => id);
  const usersOf = (id: ServiceId, runs: readonly RecordedRun[]): ReadonlySet<number> => {
    const users = (byId.get(id) ?? []).map(
      (spec) => uids.get(spec.privilege.user ?? '') ?? innerRoot(spec, isRoot, machineIds)?.users.first,
    );
    return new Set([...users, ...runs.map(({ process: { uid } }) => uid)].filter((uid) => uid !== undefined));
  };
  const services = new Map(recorded.map((service) => [service.spec.id, recordedOf(service)]));
  return [...byId.keys()].map((id) => {
    const runs = services.get(id) ?? [];
    return { id, recorded: runs, users: usersOf(id, runs) };
  });
};
