// Processes with a mark of this supervisor, compared with its records: none may run twice or be unknown.
import { type Finding, fine, problem, warning, checkOf } from './finding.ts';
import { readRecorded } from '../../offline/recorded.ts';
import { knownServices } from '../../../sources/process/known-services.ts';
import { livingRuns } from '../../../sources/process/living-runs.ts';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import { runsOf } from '../../../streams/domain/service/runs-of.ts';
import type { Service } from '../../../streams/domain/service/service.ts';
import type { Context } from '../../context.ts';

/** A run with a living process: its leader, or the oldest surviving process. */
interface Carrier {
  readonly service: ServiceId;
  readonly run: number;
  readonly pid: number;
}

interface Recorded {
  readonly service: ServiceId;
  /** Runs with possibly living processes: several during a rollout, none for a service at rest. */
  readonly runs: readonly number[];
}

type Running = Pick<Service, 'actual'>;

const runOf = ({ actual }: Running): readonly number[] => ('run' in actual ? [actual.run] : []);

/**
 * Returns the runs with possibly living processes by the record: its own, also during a rollout, and its
 * children's.
 */
export const runsAlive = (service: Service): readonly number[] => [
  ...runsOf(service).flatMap(runOf),
  ...(service.children ?? []).flatMap(runOf),
];

const shown = ({ service, run, pid }: Carrier): string => `${service}#${run} (pid ${pid})`;

const listed = (carriers: readonly Carrier[]): string => carriers.map(shown).join(', ');

/** Returns the command to end them; a stop only finds its own run. */
const endThem = (carriers: readonly Carrier[]): string =>
  `end them: kill ${carriers.map(({ pid }) => pid).join(' ')}`;

/** Advice to adopt them: after the loss of a record they are no leftovers. */
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

/** Returns the findings. Records may lag a moment while services start and stop. */
const judge = ({ carriers, recorded }: MarkFacts): readonly Finding[] => {
  const known = new Map(recorded.map(({ service, runs }) => [service, runs]));
  const strays = carriers.filter(({ service, run }) => known.get(service)?.includes(run) !== true);
  const doubles = strays.filter(({ service }) =>
    carriers.some((other) => other.service === service && known.get(service)?.includes(other.run) === true),
  );
  const unrecorded = strays.filter(({ service }) => !known.has(service));
  const orphans = strays.filter((one) => !doubles.includes(one) && !unrecorded.includes(one));
  if (strays.length === 0) return [fine('processes', livingText(carriers.length))];
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
