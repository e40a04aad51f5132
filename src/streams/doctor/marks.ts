// Who carries a mark of this supervisor, against what is on record: nobody may run twice, and nobody unknown.
import type { ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service/service.ts';
import { fine, problem, warning, type Finding } from './finding.ts';

/** A run of which somebody is alive: the process that leads it, or the first that is left. */
interface Carrier {
  readonly service: ServiceId;
  readonly run: number;
  readonly pid: number;
}

interface Recorded {
  readonly service: ServiceId;
  /** Of which a process may be alive. More than one while a rollout is under way; none of a service at rest. */
  readonly runs: readonly number[];
}

type Running = Pick<Service, 'actual'>;

const runOf = ({ actual }: Running): readonly number[] => ('run' in actual ? [actual.run] : []);

/** Those of which a process may be alive by the record: its own, that of a rollout beside it, those of its children. */
export const runsAlive = (service: Service): readonly number[] => [
  ...runOf(service),
  ...(service.rollout === undefined ? [] : runOf(service.rollout.other)),
  ...(service.children ?? []).flatMap(runOf),
];

const shown = ({ service, run, pid }: Carrier): string => `${service}#${run} (pid ${pid})`;

const listed = (carriers: readonly Carrier[]): string => carriers.map(shown).join(', ');

/** A stop looks for its own run only. */
const endThem = (carriers: readonly Carrier[]): string =>
  `end them: kill ${carriers.map(({ pid }) => pid).join(' ')}`;

/** Nobody says of them that they have ended: a record that is lost does not make them left over. */
const ADOPT =
  'sup start: the supervisor adopts those that a registered manifest declares (sup start -c <manifest> registers one); sup purge --force ends the others';

const livingText = (count: number): string => {
  if (count === 0) return 'no run is alive';
  return count === 1 ? '1 run is alive, and on record' : `${count} runs are alive, all of them on record`;
};

/** What is on record may be a moment behind while services come and go. */
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
