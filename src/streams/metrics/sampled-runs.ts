// Which runs are sampled: those that have a process, both of a rollout.
import type { ServiceId } from '../domain/ids.ts';
import { sameProcess, type ProcessRef } from '../domain/service/process.ts';
import type { Service } from '../domain/service/service.ts';
import { unitMark } from '../env/service-environment.ts';

export interface SampledRun {
  readonly service: ServiceId;
  readonly leader: ProcessRef;
  /** `<service>#<run>`. */
  readonly mark: string;
}

const runOf = ({ spec, actual }: Service): readonly SampledRun[] =>
  'process' in actual
    ? [{ service: spec.id, leader: actual.process, mark: unitMark(spec.id, actual.run) }]
    : [];

/** The service's own run first. */
const runsOf = (service: Service): readonly SampledRun[] => [
  ...runOf(service),
  ...(service.rollout === undefined ? [] : runOf(service.rollout.other)),
];

interface Change {
  readonly id: ServiceId;
  readonly service: Service | undefined;
}

export interface SampledRuns {
  /** What a service has become. */
  follow(change: Change): void;
  /** All of them; the same list until it is another. */
  list(): readonly SampledRun[];
  isEmpty(): boolean;
}

const sameRuns = (a: readonly SampledRun[], b: readonly SampledRun[]): boolean =>
  a.length === b.length &&
  a.every(({ mark, leader }, at) => b[at]?.mark === mark && sameProcess(b[at].leader, leader));

/** Nobody yet. */
export const sampledRuns = (): SampledRuns => {
  const runs = new Map<ServiceId, readonly SampledRun[]>();
  let list: readonly SampledRun[] | undefined = [];
  return {
    follow: ({ id, service }) => {
      const after = service === undefined ? [] : runsOf(service);
      if (sameRuns(runs.get(id) ?? [], after)) return;
      if (after.length === 0) runs.delete(id);
      else runs.set(id, after);
      list = undefined;
    },
    list: () => (list ??= [...runs.values()].flat()),
    isEmpty: () => runs.size === 0,
  };
};
