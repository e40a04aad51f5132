// Processes that carry the mark of a run which is not continued are killed as leftovers
// (`docs/behaviour.md`, "Adoption"). The numbers of their runs are not used again.
import type { Found } from '../../domain/event.ts';
import type { RunId } from '../../domain/ids.ts';
import type { LeftoverRun, Service } from '../../domain/service/service.ts';
import { runsOf } from '../../domain/service/runs-of.ts';
import type { Instant } from '../../domain/time.ts';
import { presentRun } from '../../service/input.ts';

/** The runs that continue: ending them also ends the processes that belong to them. */
const goingOn = (service: Service): readonly RunId[] => [
  ...runsOf(service).flatMap((run) => ('process' in run.actual ? [presentRun(run)] : [])),
  ...(service.children ?? []).map(({ run }) => run),
];

const remnantOf = ({ run, process }: Found, at: Instant): LeftoverRun => ({
  run,
  process,
  since: at,
  alive: [process],
});

/** The service with the leftovers of all runs that it does not continue. */
export const withRemnants = (service: Service, found: readonly Found[], at: Instant): Service => {
  const { remnants: _recorded, ...rest } = service;
  const own = new Set(goingOn(service));
  const remnants = found.filter(({ run }) => !own.has(run)).map((one) => remnantOf(one, at));
  const highest = Math.max(...found.map(({ run }) => run));
  return {
    ...rest,
    ...(highest > service.runs && { numbered: Math.max(highest, service.numbered ?? 0) }),
    ...(remnants.length > 0 && { remnants }),
  };
};
