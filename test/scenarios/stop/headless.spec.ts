// Needs the native addon.
// A process whose first thread has exited while others continue: the kernel shows it as a zombie. It is alive
// and belongs to its run like any other.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { linesCome } from '../support/marks.ts';
import { goOn, killSupervisor } from '../support/own-death.ts';
import { isAlive, stateOf } from '../support/process-table.ts';
import { fixture, loose, shell } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, come, expectDone, started } from '../support/witnesses.ts';

const MORE = { stop_timeout: '2s', backoff: '100ms' };

const built = ({ work }: Stage): string => {
  const program = join(work, 'headless');
  execFileSync('cc', ['-pthread', '-o', program, fixture('headless.c')]);
  return program;
};

const isHeadless = async (pid: number): Promise<void> => {
  await holds('its first thread has ended', () => stateOf(pid) === 'Z');
  expect(isAlive(pid)).toBe(true);
};

describe('a process whose first thread has ended', () => {
  scenario(
    'a process without its first thread is stopped like any other, as leader and as child',
    async (stage) => {
      const program = built(stage);
      const parent = shell(`${program} & echo $! >child; wait`, MORE);
      await started(stage, loose({ leader: { exec: [program], ...MORE }, parent }));
      const [child] = await linesCome(stage, 'child', 1);
      const { leader } = await agree(stage, { leader: 'running', parent: 'running' });
      const pids = [leader.pid ?? 0, Number(child)];
      for (const pid of pids) await isHeadless(pid);
      const stop = await stage.sup('stop');
      expectDone(stop);
      expect(pids.filter(isAlive)).toEqual([]);
      const { leader: after } = await agree(stage, { leader: 'stopped', parent: 'stopped' });
      expect(after.last_exit).toMatchObject({ signal: 'SIGTERM' });
    },
  );

  scenario(
    'a process without its first thread is adopted by the next supervisor, which starts no second one',
    async (stage) => {
      const program = built(stage);
      await started(stage, loose({ leader: { exec: [program], ...MORE } }));
      const { leader } = await agree(stage, { leader: 'running' });
      await isHeadless(leader.pid ?? 0);
      await killSupervisor(stage);
      expect((await stage.sup('status')).stdout).toContain(String(leader.pid));
      await goOn(stage);
      const { leader: adopted } = await come(stage, { leader: 'running' });
      expect([adopted.pid, adopted.run]).toEqual([leader.pid, leader.run]);
      const lines = serviceLog(stage, 'leader').length;
      await holds('its lines come', () => serviceLog(stage, 'leader').length > lines);
      process.kill(leader.pid ?? 0, 'SIGKILL');
      await holds('another run begins', () => stage.members('leader').some(({ pid }) => pid !== leader.pid));
      const { leader: again } = await come(stage, { leader: 'running' });
      expect(again).toMatchObject({ run: 2, last_exit: { signal: 'SIGKILL' } });
    },
  );

  scenario(
    'a process without its first thread is found by its mark without a record, and stopped without a supervisor',
    async (stage) => {
      const program = built(stage);
      await started(stage, loose({ leader: { exec: [program], ...MORE } }));
      const { leader } = await agree(stage, { leader: 'running' });
      await isHeadless(leader.pid ?? 0);
      await killSupervisor(stage);
      rmSync(join(stage.data, 'projects', '__loose__', 'state.json'));
      expectDone(await stage.sup('start', '--daemonize'));
      const { leader: found } = await agree(stage, { leader: 'running' });
      expect(found.pid).toBe(leader.pid);
      await killSupervisor(stage);
      expectDone(await stage.sup('stop', 'leader'));
      expect(isAlive(leader.pid ?? 0)).toBe(false);
    },
  );
});
