// The output of children that outlived the last supervisor, and what it had in hand of those that did not.
import type { FileCapture } from '../../../sinks/logs/file-capture.ts';
import type { Living } from '../../../streams/domain/ports.ts';
import type { Service } from '../../../streams/domain/service/service.ts';
import { servicesOf } from '../../../streams/kernel/roster.ts';
import type { SupervisorState } from '../../../streams/kernel/state.ts';

const livingOf = ({ actual, lane = 0, rollout }: Service): readonly Living[] => [
  ...('process' in actual ? [{ process: actual.process, lane }] : []),
  ...(rollout === undefined ? [] : livingOf(rollout.other)),
];

/** It is read on from where it waited. */
export const adoptOutputs = (
  capture: Pick<FileCapture, 'adopt' | 'hasLeft' | 'settle'>,
  { roster }: SupervisorState,
): void => {
  for (const service of servicesOf(roster)) {
    const living = livingOf(service);
    if (
      living.length > 0 ||
      service.children !== undefined ||
      service.rollout !== undefined ||
      capture.hasLeft(service.spec.id)
    )
      capture.adopt(service.spec, living);
  }
  capture.settle();
};
