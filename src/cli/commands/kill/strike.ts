// Sends one signal to one main process, after verifying its identity.
import { statOfProcess } from '../../../os/proc/process-stat.ts';
import { errnoOf } from '../../../os/errno.ts';
import { shownId } from '../../../streams/domain/ids.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import type { Running } from './chosen.ts';

/** Why it was not sent; `undefined`: it was. */
export const strike = ({ service, process: target }: Running, signal: string): string | undefined => {
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
