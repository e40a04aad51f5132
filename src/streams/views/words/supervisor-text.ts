// The text about the supervisor on the pages of `sup status` and of the dashboard.
import type { SupervisorDocument } from '../../wire/documents/documents.ts';
import { ageText } from './age-and-size.ts';

const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Returns `pid 7, version 1.0.0, up 3 min, …`, without unknown parts. `now`: ms since 1970. */
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
