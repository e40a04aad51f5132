// Compares the processes that carry this supervisor's mark with the records: none may run twice or be
// unknown.
import type { ServiceId } from '../domain/ids.ts';
import { runsOf } from '../domain/service/runs-of.ts';
import type { Service } from '../domain/service/service.ts';
import { fine, problem, warning, type Finding } from './finding.ts';

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

/** Returns the findings. Records may lag a moment while services start and stop. */
export const judgeMarks = (
  carriers: readonly Carrier[],
  recorded: readonly Recorded[],
): readonly Finding[] => {
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
