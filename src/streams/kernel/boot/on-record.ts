// Which of the runs that are found the record vouches for. The number of a run is on record before its process begins, and
// the process as soon as it has: a run that is not there was not begun by the supervisor before this one, or is over by the
// record. It is never adopted. What is left of it is ended like anything left over.
import { highestRun } from '../../rollout/runs.ts';
import type { Found } from '../../domain/event.ts';
import { sameProcess } from '../../domain/service/process.ts';
import type { Service } from '../../domain/service/service.ts';
import { presentRun } from '../../service/input.ts';

/** The supervisor died between the record of the number and that of the process. */
const BEGINNING: ReadonlySet<string> = new Set(['preparing', 'spawning']);

const isOf = (service: Service, { run, process }: Found): boolean => {
  if (presentRun(service) !== run) return false;
  const { actual } = service;
  return 'process' in actual ? sameProcess(actual.process, process) : BEGINNING.has(actual.tag);
};

/** True for the recorded process of a run, and for a leader with the recorded number of a run that was beginning. */
export const isOnRecord = (service: Service, found: Found): boolean =>
  found.run <= highestRun(service) &&
  (isOf(service, found) || (service.rollout !== undefined && isOf(service.rollout.other, found)));
