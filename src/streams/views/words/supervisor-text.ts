// What is said of the supervisor, on the page of `sup status` and on that of the dashboard.
import type { SupervisorDocument } from '../../wire/documents/documents.ts';
import { ageText } from './age-and-size.ts';

const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/**
 * Returns `pid 7, version 1.0.0, up 3 min, brought back once`, without what is not known. `now`: ms since
 * 1970.
 */
export const supervisorFacts = (
  { pid, version, since, restarts }: SupervisorDocument,
  now: number,
): string => {
  const facts = [
    pid === null ? undefined : `pid ${pid}`,
    version === null ? undefined : `version ${version}`,
    since === null ? undefined : `up ${ageText(since, now)}`,
    restarts === null || restarts === 0 ? undefined : `brought back ${timesText(restarts)}`,
  ];
  return facts.filter((fact) => fact !== undefined).join(', ');
};
