// `kill -9` of a supervisor that is about to exit at its end: no later supervisor undoes that end.
import { existsSync, rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import { beginOf, elsewhere, supOf } from '../support/elsewhere.ts';
import { holds } from '../support/eventually.ts';
import { supervisorPid } from '../support/own-death.ts';
import { loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { supervisors } from '../support/supervisors.ts';
import { come, expectDone } from '../support/witnesses.ts';

/** The first supervisor of a guardian has done everything, and does not leave. */
const LINGERING = `if (process.argv.includes('--restarts=0')) process.exit = () => setInterval(() => undefined, 1000);`;

const begun = async (stage: Stage): Promise<{ readonly sup: string; readonly pid: number }> => {
  stage.declare(loose({ web: steady() }));
  const sup = elsewhere(stage, 'lingering', LINGERING);
  expectDone(await supOf(stage, sup, 'start', '--daemonize'));
  await come(stage, { web: 'running' });
  return { sup, pid: await supervisorPid(stage) };
};

const over = ({ data }: Stage): Promise<void> =>
  holds('the end', () => !existsSync(layoutOf(data).lock) && !existsSync(layoutOf(data).socket));

describe('a supervisor that is killed at the very end of its life', () => {
  scenario('a kill at the end of an end by a signal starts no service', async (stage) => {
    const { sup, pid } = await begun(stage);
    process.kill(pid, 'SIGTERM');
    await over(stage);
    process.kill(pid, 'SIGKILL');
    await holds('no supervisor and no guardian', () => supervisors(stage).length === 0);
    expect(stage.members()).toEqual([]);
    expectDone(await supOf(stage, sup, 'start', '--daemonize'));
    await come(stage, { web: 'running' });
    process.kill(await supervisorPid(stage), 'SIGKILL');
  });

  scenario('a kill at the end of a shutdown leaves no process', async (stage) => {
    const { sup, pid } = await begun(stage);
    const asked = beginOf(stage, sup, 'shutdown');
    await over(stage);
    process.kill(pid, 'SIGKILL');
    const outcome = await asked.ended;
    expectDone(outcome);
    expect(outcome.stdout).toContain('the supervisor has ended');
    expect(supervisors(stage)).toEqual([]);
  });

  scenario(
    'a kill at the end of a shutdown also stops a supervisor that does not know of the end',
    async (stage) => {
      const { sup, pid } = await begun(stage);
      const asked = beginOf(stage, sup, 'shutdown');
      await over(stage);
      rmSync(layoutOf(stage.data).closing, { force: true });
      process.kill(pid, 'SIGKILL');
      expectDone(await asked.ended);
      expect(supervisors(stage)).toEqual([]);
      expect(stage.members()).toEqual([]);
    },
  );
});
