// Needs the native addon.
// An uncaught exception while everything is being stopped, and `kill -9` then: the supervisor that re-executes
// itself or is restarted continues the end and starts no service.
import { describe, expect } from 'vitest';
import { beginOf, elsewhere } from '../support/elsewhere.ts';
import { holds } from '../support/eventually.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { supervisorLog } from '../support/logs.ts';
import { supervisorPid } from '../support/own-death.ts';
import { isAlive } from '../support/process-table.ts';
import { loose, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { guardiansOf, supervisors } from '../support/supervisors.ts';
import { come, expectDone, pass, started } from '../support/witnesses.ts';

/** Breaks when it is told to. */
const FRAIL = `process.on('SIGUSR2', () => { throw new Error('a bug in it'); });`;

/** Of two services one ignores that it is asked to end, and holds up the end of the other. */
const STUBBORN = loose({
  db: steady(),
  stubborn: shell('trap "" TERM; echo up >>log; while :; do sleep 0.1; done', {
    stop_timeout: '3s',
    depends_on: ['db'],
  }),
});

const begun = async (stage: Stage): Promise<number> => {
  stage.meant.add('a bug in it');
  stage.declare(STUBBORN);
  expectDone(
    await beginOf(stage, elsewhere(stage, 'frail', FRAIL), 'start', '-c', 'sup.yaml', '--daemonize').ended,
  );
  await come(stage, { db: 'running', stubborn: 'running' });
  await linesCome(stage, 'log', 1);
  return supervisorPid(stage);
};

const broken = async (stage: Stage, pid: number): Promise<void> => {
  process.kill(pid, 'SIGUSR2');
  const anew = `re-executed itself (pid ${pid})`;
  await holds('it executed itself anew', () => supervisorLog(stage).join('\n').includes(anew));
};

describe('an exception while everything is being stopped', () => {
  scenario(
    'an exception during an end by a signal continues the end; the next supervisor starts the services again',
    async (stage) => {
      const pid = await begun(stage);
      process.kill(pid, 'SIGTERM');
      await pass(stage, { stubborn: 'stopping' });
      await broken(stage, pid);
      await holds('the supervisor gone', () => !isAlive(pid));
      expect(linesOf(stage, 'log')).toEqual(['up']);
      expect((await stage.status()).status).toBe(3);
      expectDone(await stage.sup('start', '--daemonize'));
      await come(stage, { db: 'running', stubborn: 'running' });
    },
  );

  scenario(
    'an exception during a shutdown continues it, and the answer covers all services',
    async (stage) => {
      const pid = await begun(stage);
      const asked = stage.begin(['shutdown']);
      await pass(stage, { stubborn: 'stopping' });
      await broken(stage, pid);
      const outcome = await asked.ended;
      expect(isAlive(pid)).toBe(false);
      expectDone(outcome);
      expect(outcome.stdout).toContain('stubborn');
      expect(linesOf(stage, 'log')).toEqual(['up']);
      expectDone(await stage.sup('start', '--daemonize', '-s', 'db'));
      await come(stage, { db: 'running', stubborn: 'stopped' });
      expect(linesOf(stage, 'log')).toEqual(['up']);
    },
  );
});

describe('kill -9 of the supervisor while everything is being stopped', () => {
  const guarded = async (stage: Stage): Promise<number> => {
    await started(stage, STUBBORN);
    await come(stage, { db: 'running', stubborn: 'running' });
    await linesCome(stage, 'log', 1);
    return supervisorPid(stage);
  };

  const noneLeft = (stage: Stage): Promise<void> =>
    holds('no supervisor and no guardian', () => supervisors(stage).length === 0);

  scenario(
    'a kill during an end by a signal continues the end; the next supervisor starts the services again',
    async (stage) => {
      const pid = await guarded(stage);
      process.kill(pid, 'SIGTERM');
      await pass(stage, { stubborn: 'stopping' });
      process.kill(pid, 'SIGKILL');
      await noneLeft(stage);
      expect([...stage.members('db'), ...stage.members('stubborn')]).toEqual([]);
      expect(linesOf(stage, 'log')).toEqual(['up']);
      expectDone(await stage.sup('start', '--daemonize'));
      await come(stage, { db: 'running', stubborn: 'running' });
      expect(await linesCome(stage, 'log', 2)).toEqual(['up', 'up']);
    },
  );

  scenario(
    'a kill during an end by a signal to the guardian continues the end, also during a pause of the guardian',
    async (stage) => {
      const pid = await guarded(stage);
      process.kill(guardiansOf(stage)[0]?.pid ?? 0, 'SIGTERM');
      await pass(stage, { stubborn: 'stopping' });
      process.kill(pid, 'SIGKILL');
      await noneLeft(stage);
      expect([...stage.members('db'), ...stage.members('stubborn')]).toEqual([]);
      expectDone(await stage.sup('start', '--daemonize'));
      for (let deaths = 0; deaths < 3; deaths += 1) {
        process.kill(await supervisorPid(stage), 'SIGKILL');
        if (deaths < 2) await come(stage, { db: 'running', stubborn: 'running' });
      }
      process.kill(guardiansOf(stage)[0]?.pid ?? 0, 'SIGTERM');
      await noneLeft(stage);
      expect([...stage.members('db'), ...stage.members('stubborn')]).toEqual([]);
    },
  );

  scenario(
    'a kill during a shutdown continues it, and the answer comes when no process is left',
    async (stage) => {
      const pid = await guarded(stage);
      const asked = stage.begin(['shutdown']);
      await pass(stage, { stubborn: 'stopping' });
      process.kill(pid, 'SIGKILL');
      const outcome = await asked.ended;
      expectDone(outcome);
      expect(outcome.stdout).toContain('stubborn');
      expect(supervisors(stage)).toEqual([]);
      expect([...stage.members('db'), ...stage.members('stubborn')]).toEqual([]);
      expectDone(await stage.sup('start', '--daemonize', '-s', 'db'));
      await come(stage, { db: 'running', stubborn: 'stopped' });
    },
  );
});
