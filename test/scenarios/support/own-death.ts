// Kills the supervisor together with the guardian that would restart it.
import { eventually, holds } from './eventually.ts';
import { isAlive, isSame } from './process-table.ts';
import { steady } from './recipes.ts';
import { recordText } from './record.ts';
import type { Stage } from './stage.ts';
import { kill, strikeAll } from './supervisors.ts';
import { expectDone } from './witnesses.ts';

/** kill -9 of the supervisor and of its guardian; settles when both are gone. */
export const killSupervisor = async (stage: Stage): Promise<void> => {
  const struck = strikeAll(stage);
  if (struck.length === 0) throw new Error('there is no supervisor to kill');
  await holds('the supervisor dead', () => !struck.some(isSame));
};

/** kill -9 of the supervisor and of these, in one go; settles when all are gone. */
export const killWith = async (
  stage: Stage,
  others: readonly { readonly pid: number | null }[],
): Promise<void> => {
  const pids = others.flatMap(({ pid }) => pid ?? []);
  const dying = killSupervisor(stage);
  pids.forEach((pid) => kill({ pid }));
  await dying;
  await holds('the others dead', () => !pids.some(isAlive));
};

/** The pid of the supervisor as status tells it. After a kill there may be none for a moment. */
export const supervisorPid = (stage: Stage): Promise<number> =>
  eventually({
    what: 'the pid of the supervisor',
    look: async () => (await stage.status()).document.supervisor.pid ?? undefined,
  });

/** Settles once the state of the project on disk says this. A kill before that may take the last moment with it. */
export const onDisk = ({ data }: Stage, project: string, text: string): Promise<void> => {
  return holds(`${text} in the state of ${project}`, () => recordText(data, project).includes(text));
};

/** Another supervisor, brought up by a service that is none of the scenario's business. */
export const goOn = async (stage: Stage): Promise<void> => {
  stage.declare({ projects: { bystander: { services: { it: steady() } } } }, 'bystander.yaml');
  expectDone(await stage.sup('start', '--daemonize', '-c', 'bystander.yaml'));
};
