// Who carries a mark of this supervisor, against what is on record: nobody may run twice, and nobody unknown.
import type { ServiceId } from '../domain/ids.ts';
import { fine, problem, warning, type Finding } from './finding.ts';

/** A run of which somebody is alive: the process that leads it, or the first that is left. */
interface Carrier {
  readonly service: ServiceId;
  readonly run: number;
  readonly pid: number;
}

interface Recorded {
  readonly service: ServiceId;
  /** More than one while a rollout is under way. */
  readonly runs: readonly number[];
}

const shown = ({ service, run, pid }: Carrier): string => `${service}#${run} (pid ${pid})`;

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
  const orphans = strays.filter((one) => !doubles.includes(one));
  if (strays.length === 0)
    return [fine('processes', `${carriers.length} runs are alive, all of them on record`)];
  return [
    ...(doubles.length === 0
      ? []
      : [
          problem(
            'doubles',
            `beside the run on record: ${doubles.map(shown).join(', ')}`,
            'sup restart <service>: before a run begins, all who carry its mark are ended',
          ),
        ]),
    ...(orphans.length === 0
      ? []
      : [
          warning(
            'orphans',
            `of no run on record: ${orphans.map(shown).join(', ')}`,
            'sup stop, or end them; a supervisor ends them before it starts the service anew',
          ),
        ]),
  ];
};
