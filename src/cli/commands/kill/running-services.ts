// Selects services from the records, for `kill` and `reload`, and signals their main processes. The records
// are current: the supervisor records a service before it answers the command that starts the service.
import type { Context } from '../../context.ts';
import { readRecorded, selectRecorded } from '../../../client/recorded.ts';
import { requireOwn } from '../../directory-owner.ts';
import { errnoOf } from '../../../os/errno.ts';
import type { Selection } from '../../../streams/domain/command.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { shownId } from '../../../streams/domain/ids.ts';
import type { ProcessRef } from '../../../streams/domain/service/process.ts';
import type { Service } from '../../../streams/domain/service/service.ts';
import { resolvedService } from '../../../streams/rollout/placeholders.ts';
import { isNamed } from '../../../streams/selection/match.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { statOfProcess } from '../../../os/proc/process-stat.ts';

/**
 * Returns the selected services with placeholders resolved. Throws ERR0202, ERR0006, ERR0201 for a wrong
 * selection, ERR0701 if another user owns the records.
 */
export const chosenServices = (context: Context, selection: Selection): readonly Service[] => {
  requireOwn(context);
  const recorded = readRecorded(context);
  const ids = selectRecorded(recorded, selection);
  return recorded.services.filter(({ spec }) => ids.has(spec.id)).map(resolvedService);
};

export interface Running {
  readonly service: Service;
  readonly process: ProcessRef;
}

const processOf = ({ actual }: Service): ProcessRef | undefined => {
  if (!('process' in actual)) return undefined;
  const stat = statOfProcess(actual.process);
  return stat === undefined || stat.zombie ? undefined : actual.process;
};

/**
 * Returns the selected services that run. Throws ERR0119 if none of them runs, or if a service that the user
 * named does not run.
 */
export const runningOf = (services: readonly Service[], selection: Selection): readonly Running[] => {
  const found = services.map((service) => ({ service, process: processOf(service) }));
  const running = found.flatMap(({ service, process }) =>
    process === undefined ? [] : [{ service, process }],
  );
  const absent = found.filter(
    ({ process, service: { spec } }) => process === undefined && isNamed(spec, selection),
  );
  if (absent.length === 0 && running.length > 0) return running;
  const names = (absent.length > 0 ? absent : found)
    .map(({ service }) => shownId(service.spec.id))
    .join(', ');
  throw failure({ code: 'ERR0119', detail: `not running: ${names}; nothing was sent` });
};

/** Sends a signal to the main process. Returns why that failed; `undefined` if it succeeded. */
export const sendSignal = ({ service, process: target }: Running, signal: string): string | undefined => {
  const name = shownId(service.spec.id);
  if (statOfProcess(target) === undefined) return `${name} ended before ${signal} was sent`;
  try {
    process.kill(target.pid, signal);
    return undefined;
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return `${name} ended before ${signal} was sent`;
    return `${name} (pid ${target.pid}) did not get ${signal}: ${messageOf(error)}`;
  }
};
