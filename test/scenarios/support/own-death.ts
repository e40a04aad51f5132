// Ends the supervisor as no supervisor ends itself, and with it whoever would start it again.
import { eventually, holds } from './eventually.ts';
import { kinOf, membersOf } from './kin.ts';
import { isSame, type Process } from './process-table.ts';
import { steady } from './recipes.ts';
import { recordText } from './record.ts';
import type { Stage } from './stage.ts';
import { expectDone } from './witnesses.ts';

/** Everybody of the scenario that is neither a service nor a stray of one. */
const supervisors = (stage: Stage): readonly Process[] => {
  const members = new Set(membersOf(stage.data).map(({ pid }) => pid));
  return kinOf(stage).filter(({ pid, command }) => !members.has(pid) && /supervis/.test(command));
};

const kill = (one: Pick<Process, 'pid'>): void => {
  try {
    process.kill(one.pid, 'SIGKILL');
  } catch {
    // It was quicker.
  }
};

/** kill -9 of the supervisor; settles when it is gone. */
export const killSupervisor = async (stage: Stage): Promise<void> => {
  const struck = supervisors(stage);
  if (struck.length === 0) throw new Error('there is no supervisor to kill');
  struck.forEach(kill);
  await holds('the supervisor dead', () => !struck.some(isSame));
};

/** kill -9 of the supervisor and of these, in one go. */
export const killWith = async (
  stage: Stage,
  others: readonly { readonly pid: number | null }[],
): Promise<void> => {
  const pids = others.flatMap(({ pid }) => pid ?? []);
  const dying = killSupervisor(stage);
  pids.forEach((pid) => kill({ pid }));
  await dying;
};

/** The pid of the supervisor as status tells it. */
export const supervisorPid = async (stage: Stage): Promise<number> => {
  const { document } = await stage.status();
  return eventually(
    { what: 'the pid of the supervisor', look: () => document.supervisor.pid ?? undefined },
    0,
  );
};

/** Settles once the state of the project on disk says this. A kill before that may take the last moment with it. */
export const onDisk = ({ data }: Stage, project: string, text: string): Promise<void> => {
  return holds(`${text} in the state of ${project}`, () => recordText(data, project).includes(text));
};

/** Another supervisor, brought up by a service that is none of the scenario's business. */
export const goOn = async (stage: Stage): Promise<void> => {
  stage.declare({ projects: { bystander: { services: { it: steady() } } } }, 'bystander.yaml');
  expectDone(await stage.sup('start', '--daemonize', '-c', 'bystander.yaml'));
};
