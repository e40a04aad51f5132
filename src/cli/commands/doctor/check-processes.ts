// Compares the living processes that have a run tag of this supervisor with its records. No service may run
// twice, and every run must be recorded.
import { type Finding, fine, problem, warning, checkOf } from './finding.ts';
import { readRecorded } from '../../../client/recorded.ts';
import { knownServices } from '../../../sources/process/services-to-search.ts';
import { livingRuns } from '../../../sources/process/living-runs.ts';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import { runsOf } from '../../../streams/domain/service/runs-of.ts';
import type { Service } from '../../../streams/domain/service/service.ts';
import type { Context } from '../../context.ts';

/** A run that has a living process. `pid` is its main process, or the oldest process that is still alive. */
interface Carrier {
  readonly service: ServiceId;
  readonly run: number;
  readonly pid: number;
}

interface Recorded {
  readonly service: ServiceId;
  /**
   * Numbers of the runs that may have living processes: several during a rollout, none if the service is
   * down.
   */
  readonly runs: readonly number[];
}

type Running = Pick<Service, 'actual'>;

const runOf = ({ actual }: Running): readonly number[] => ('run' in actual ? [actual.run] : []);

/**
 * Returns the numbers of all recorded runs that may have living processes: runs of the service, including a
 * rollout, and of its children.
 */
export const runsAlive = (service: Service): readonly number[] => [
  ...runsOf(service).flatMap(runOf),
  ...(service.children ?? []).flatMap(runOf),
];

const shown = ({ service, run, pid }: Carrier): string => `${service}#${run} (pid ${pid})`;

const listed = (carriers: readonly Carrier[]): string => carriers.map(shown).join(', ');

/** Returns advice with a `kill` command, because `sup stop` ends only recorded runs. */
const endThem = (carriers: readonly Carrier[]): string =>
  `end them: kill ${carriers.map(({ pid }) => pid).join(' ')}`;

/** Advice for runs of unrecorded services, which can be adopted. */
const ADOPT =
  'sup start: the supervisor adopts those that a registered manifest declares (sup start -c <manifest> registers one); sup purge --force ends the others';

const livingText = (count: number): string => {
  if (count === 0) return 'no run is alive';
  return count === 1 ? '1 run is alive, and on record' : `${count} runs are alive, all of them on record`;
};

interface MarkFacts {
  readonly carriers: readonly Carrier[];
  readonly recorded: readonly Recorded[];
}

/**
 * Returns the findings. A finding may be wrong while services start and stop, because the records are then
 * out of date for a moment.
 */
const judge = ({ carriers, recorded }: MarkFacts): readonly Finding[] => {
  const known = new Map(recorded.map(({ service, runs }) => [service, runs]));
  const unmatched = carriers.filter(({ service, run }) => known.get(service)?.includes(run) !== true);
  const doubles = unmatched.filter(({ service }) =>
    carriers.some((other) => other.service === service && known.get(service)?.includes(other.run) === true),
  );
  const unrecorded = unmatched.filter(({ service }) => !known.has(service));
  const orphans = unmatched.filter((one) => !doubles.includes(one) && !unrecorded.includes(one));
  if (unmatched.length === 0) return [fine('processes', livingText(carriers.length))];
  return [
    ...(doubles.length === 0
      ? []
      : [problem('doubles', `beside the run on record: ${listed(doubles)}`, endThem(doubles))]),
    ...(unrecorded.length === 0
      ? []
      : [warning('unrecorded', `alive, of services that are not on record: ${listed(unrecorded)}`, ADOPT)]),
    ...(orphans.length === 0
      ? []
      : [
          warning(
            'orphans',
            `left over, of no run that is alive on record: ${listed(orphans)}`,
            endThem(orphans),
          ),
        ]),
  ];
};

const look = async (context: Context): Promise<MarkFacts> => {
  const { services } = readRecorded(context);
  const found = await livingRuns(context.dataDir, await knownServices(services));
  return {
    carriers: found.map(({ service, run, process: { pid } }) => ({ service, run, pid })),
    recorded: services.map((one) => ({ service: one.spec.id, runs: runsAlive(one) })),
  };
};

export const processes = checkOf('processes', { look, judge });
