// Under which name the processes of a command are found (`SUP_UNIT`). No service has a `!` in its name.
import { projectId, runId, serviceId, type RunId, type ServiceId } from '../../streams/domain/ids.ts';

export interface CommandMark {
  readonly service: ServiceId;
  readonly run: RunId;
}

/** Of a command that is found again by another supervisor. */
export const markOfKey = (key: string): CommandMark => ({
  service: serviceId(projectId('!command'), key),
  run: runId(1),
});
