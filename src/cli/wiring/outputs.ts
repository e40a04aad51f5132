// The output of children that outlived the last supervisor.
import type { Capture } from '../../streams/domain/ports.ts';
import { servicesOf } from '../../streams/kernel/roster.ts';
import type { SupervisorState } from '../../streams/kernel/state.ts';

/** It is read on from where it waited. */
export const adoptOutputs = (capture: Pick<Capture, 'adopt'>, { roster }: SupervisorState): void => {
  for (const { actual, spec, rollout } of servicesOf(roster))
    if ('process' in actual || rollout !== undefined) capture.adopt(spec);
};
