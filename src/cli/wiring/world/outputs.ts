// The output of children that outlived the last supervisor, and what it had in hand of those that did not.
import type { FileCapture } from '../../../sinks/logs/file-capture.ts';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import type { Living } from '../../../streams/domain/ports.ts';
import type { Service } from '../../../streams/domain/service/service.ts';
import { servicesOf } from '../../../streams/kernel/roster.ts';
import type { SupervisorState } from '../../../streams/kernel/state.ts';

const livingOf = ({ actual, lane = 0, rollout }: Service): readonly Living[] => [
  ...('process' in actual ? [{ process: actual.process, lane }] : []),
  ...(rollout === undefined ? [] : livingOf(rollout.other)),
];

/** Somebody of it lives. */
const mayPrint = ({ children, rollout }: Service, living: readonly Living[]): boolean =>
  living.length > 0 || children !== undefined || rollout !== undefined;

/**
 * It is read on from where it waited. `read`: whose output the program before this one read; absent: nobody can tell, and
 * whatever it left to a keeper may be anybody's.
 */
export const adoptOutputs = (
  capture: Pick<FileCapture, 'adopt' | 'inHand' | 'settle' | 'wasKept'>,
  { roster }: Pick<SupervisorState, 'roster'>,
  read?: readonly ServiceId[],
): void => {
  const known = new Set([...capture.inHand(), ...(read ?? [])]);
  const anybody = read === undefined && capture.wasKept();
  for (const service of servicesOf(roster)) {
    const living = livingOf(service);
    if (anybody || mayPrint(service, living) || known.has(service.spec.id))
      capture.adopt(service.spec, living);
  }
  capture.settle();
};
