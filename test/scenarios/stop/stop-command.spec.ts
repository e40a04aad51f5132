// stop_command: what it knows, what follows its end, and a stop without a supervisor.
import { describe, expect } from 'vitest';
import { linesCome, linesOf } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import { loose, shell } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, started } from '../support/witnesses.ts';

const TOLD = 'trap "echo signal >>log; exit 0" TERM; echo up >>log; while :; do sleep 0.05; done';

describe('stop_command', () => {
  scenario('stop_command runs with SUP_PID before the signal, also without a supervisor', async (stage) => {
    const web = shell(TOLD, {
      stop_command: 'echo "$SUP_SERVICE $SUP_PID" >>log',
      stop_timeout: '30s',
    });
    await started(stage, loose({ web }));
    await linesCome(stage, 'log', 1);
    const { web: first } = await agree(stage, { web: 'running' });
    expectDone(await stage.sup('restart'));
    await linesCome(stage, 'log', 4);
    const { web: second } = await agree(stage, { web: 'running' });
    await killSupervisor(stage);
    expectDone(await stage.sup('stop'));
    const [one, two] = [first, second].map(({ pid }) => `web ${pid ?? ''}`);
    expect(linesOf(stage, 'log')).toEqual(['up', one, 'signal', 'up', two, 'signal']);
    expect(stage.members()).toEqual([]);
  });

  scenario('a stop goes on with the signal after a stop_command that fails or hangs', async (stage) => {
    const fails = shell(TOLD, { stop_command: 'exit 3', stop_timeout: '30s' });
    const hangs = shell('exec sleep 1000', { stop_command: 'sleep 1000', stop_timeout: '800ms' });
    await started(stage, loose({ fails, hangs }));
    await linesCome(stage, 'log', 1);
    expectDone(await stage.sup('stop'));
    const after = await agree(stage, { fails: 'stopped', hangs: 'stopped' });
    expect(after.fails.last_exit).toMatchObject({ code: 0 });
    expect(after.hangs.last_exit).toMatchObject({ signal: 'SIGTERM' });
    const { stdout } = await stage.sup('events');
    expect(stdout).toMatch(
      /fails warning \(.*ERR0122, its stop_command exited with 3; stop_signal followed\)/,
    );
    expect(stdout).toMatch(/hangs warning \(.*ERR0122, its stop_command was killed: .*\)/);
    expect((await stage.sup('why', 'fails')).stdout).toContain('ERR0122 its stop_command exited with 3');
  });
});
