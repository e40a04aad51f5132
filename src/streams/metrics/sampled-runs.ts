// The runs to sample: all runs that have a process, including both runs of a rollout.
import type { ServiceId } from '../domain/ids.ts';
import { sameProcess, type ProcessRef } from '../domain/service/process.ts';
import type { Run } from '../domain/service/service-run.ts';
import { runsOf } from '../domain/service/runs-of.ts';
import type { Service } from '../domain/service/service.ts';
import { unitMark } from '../env/run-tag.ts';

export interface SampledRun {
  readonly service: ServiceId;
  readonly leader: ProcessRef;
  /** The run tag `<service>#<run>`. */
  readonly mark: string;
}

/** Returns the run as a list, which is empty if the run has no process. */
export const sampledRun = ({ spec, actual }: Run): readonly SampledRun[] =>
  'process' in actual
    ? [{ service: spec.id, leader: actual.process, mark: unitMark(spec.id, actual.run) }]
    : [];

interface Change {
  readonly id: ServiceId;
  readonly service: Service | undefined;
}

export interface SampledRuns {
  /** Updates the list after a state change. */
  follow(change: Change): void;
  /** Returns all runs to sample. While the runs stay the same, it returns the same array. */
  list(): readonly SampledRun[];
  isEmpty(): boolean;
}

const sameRuns = (a: readonly SampledRun[], b: readonly SampledRun[]): boolean =>
  a.length === b.length &&
  a.every(({ mark, leader }, at) => b[at]?.mark === mark && sameProcess(b[at].leader, leader));

/** Returns an empty list of runs. */
export const sampledRuns = (): SampledRuns => {
  const runs = new Map<ServiceId, readonly SampledRun[]>();
  let list: readonly SampledRun[] | undefined = [];
  return {
    follow: ({ id, service }) => {
      const after = service === undefined ? [] : runsOf(service).flatMap(sampledRun);
      if (sameRuns(runs.get(id) ?? [], after)) return;
      if (after.length === 0) runs.delete(id);
      else runs.set(id, after);
      list = undefined;
    },
    list: () => (list ??= [...runs.values()].flat()),
    isEmpty: () => runs.size === 0,
  };
};
