// The output of children that outlived the last supervisor, and what it had in hand of those that did not.
import type { FileCapture } from '../../sinks/logs/capture.ts';
import { servicesOf } from '../../streams/kernel/roster.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';

/** It is read on from where it waited. */
export const adoptOutputs = (
  capture: Pick<FileCapture, 'adopt' | 'hasLeft' | 'settle'>,
  { roster }: SupervisorState,
): void => {
  for (const { actual, spec, rollout } of servicesOf(roster))
    if ('process' in actual || rollout !== undefined || capture.hasLeft(spec.id)) capture.adopt(spec);
  capture.settle();
};
