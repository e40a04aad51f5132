// Whoever carries the mark of a run that the supervisor does not go on with counts all the same: their run is hunted
// (`docs/behaviour.md`, "Adoption"), and no number of a run is given twice.
import type { Found } from '../../domain/event.ts';
import type { RunId } from '../../domain/ids.ts';
import type { Remnant } from '../../domain/service/remnant.ts';
import type { Service } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';
import { presentRun } from '../../service/input.ts';

/** The runs that go on: their own end clears away whoever belongs to them. */
const goingOn = ({ actual, runs, rollout, ...rest }: Service): readonly RunId[] => [
  ...('process' in actual ? [presentRun({ actual, runs, ...rest })] : []),
  ...(rollout === undefined ? [] : goingOn(rollout.other)),
  ...(rest.children ?? []).map(({ run }) => run),
];

const remnantOf = ({ run, process }: Found, at: Instant): Remnant => ({
  run,
  process,
  since: at,
  alive: [process],
});

/** The service with all that is left of other runs than those it goes on with. */
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
