// The supervisor of a scenario and its guardian, in the process table, and how they are killed.
import { kinOf, membersOf, type Place } from './kin.ts';
import type { Process } from './process-table.ts';

/** The processes of the scenario that are neither a service nor a stray of one. */
export const supervisors = (place: Place): readonly Process[] => {
  const members = new Set(membersOf(place.data).map(({ pid }) => pid));
  return kinOf(place).filter(({ pid, command }) => !members.has(pid) && /supervis/.test(command));
};

export const kill = (one: Pick<Process, 'pid'>): void => {
  try {
    process.kill(one.pid, 'SIGKILL');
  } catch {
    // It was quicker.
  }
};

const isGuardian = ({ command }: Process): boolean => command.includes('/sup-guardian ');

/** Kills the guardian first, so that no process restarts the supervisor. */
export const strikeAll = (place: Place): readonly Process[] => {
  const struck = supervisors(place);
  struck.filter(isGuardian).forEach(kill);
  struck.forEach(kill);
  return struck;
};

/** kill -9 of the supervisor alone. */
export const killOnlySupervisor = (place: Place): void =>
  supervisors(place)
    .filter((one) => !isGuardian(one))
    .forEach(kill);

export const guardiansOf = (place: Place): readonly Process[] => supervisors(place).filter(isGuardian);
