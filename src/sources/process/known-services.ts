// The services whose runs are looked for when nothing but records and the process table is left: which processes are on
// record, and as which users they run.
import { findAccount } from '../../os/accounts.ts';
import { machineIds } from '../../os/machine-ids.ts';
import { innerRoot } from '../../streams/launch/inner-root.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import type { RunId, ServiceId } from '../../streams/domain/ids.ts';
import { NO_PROCESS, sameProcess, type ProcessRef } from '../../streams/domain/service/process.ts';
import type { Service } from '../../streams/domain/service/service.ts';

interface RecordedRun {
  readonly run: RunId;
  readonly process: ProcessRef;
  /** The service has asked for it. */
  readonly isChild: boolean;
}

export interface KnownService {
  readonly id: ServiceId;
  /** Those that its runs are started as, besides our own. */
  readonly users: ReadonlySet<number>;
  readonly recorded: readonly RecordedRun[];
}

type Running = Pick<Service, 'actual'>;

const runOf = ({ actual }: Running, isChild: boolean): readonly RecordedRun[] =>
  'process' in actual && !sameProcess(actual.process, NO_PROCESS)
    ? [{ run: actual.run, process: actual.process, isChild }]
    : [];

/** Its own run, that of a rollout beside it, and those of its children. */
const recordedOf = (service: Service): readonly RecordedRun[] => [
  ...runOf(service, false),
  ...(service.rollout === undefined ? [] : runOf(service.rollout.other, false)),
  ...(service.children ?? []).flatMap((child) => runOf(child, true)),
];

const specsOf = ({ spec, revised, rollout }: Service): readonly ServiceSpec[] =>
  [spec, revised, rollout?.other.spec].filter((one) => one !== undefined);

/** Of a name service that is silent nothing is known: only what is on record counts then. */
const uidOf = async (user: string): Promise<number | undefined> => {
  try {
    return (await findAccount(user))?.uid ?? (/^\d+$/.test(user) ? Number(user) : undefined);
  } catch {
    return undefined;
  }
};

/** What is on record, and what manifests declare. Only root can have started anything as another user. */
export const knownServices = async (
  recorded: readonly Service[],
  declared: readonly ServiceSpec[] = [],
): Promise<readonly KnownService[]> => {
  const specs = [...recorded.flatMap(specsOf), ...declared];
  const isRoot = process.getuid?.() === 0;
  const names = isRoot ? specs.flatMap(({ privilege }) => privilege.user ?? []) : [];
  const uids = new Map<string, number | undefined>();
  for (const name of new Set(names)) uids.set(name, await uidOf(name));
  const usersOf = (id: ServiceId, runs: readonly RecordedRun[]): ReadonlySet<number> => {
    const users = specs
      .filter((spec) => spec.id === id)
      .map((spec) => uids.get(spec.privilege.user ?? '') ?? innerRoot(spec, isRoot, machineIds)?.users.first);
    return new Set([...users, ...runs.map(({ process: { uid } }) => uid)].filter((uid) => uid !== undefined));
  };
  const services = new Map(recorded.map((service) => [service.spec.id, recordedOf(service)]));
  return [...new Set(specs.map(({ id }) => id))].map((id) => {
    const runs = services.get(id) ?? [];
    return { id, recorded: runs, users: usersOf(id, runs) };
  });
};
