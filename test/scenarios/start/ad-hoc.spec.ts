// Start: a command behind `--` becomes a unit of its own; with a running supervisor it is only staged.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { linesCome } from '../support/marks.ts';
import { loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, expectFailed, servicesOf, started } from '../support/witnesses.ts';

describe('start -- command', () => {
  scenario('start -- command starts the command if no supervisor runs', async (stage) => {
    expectDone(await stage.sup('start', '--daemonize', '--', 'sleep', '1000'));
    const { sleep } = await agree(stage, { sleep: 'running' });
    expect(stage.members('sleep').map(({ pid, command }) => [pid, command])).toEqual([
      [sleep.pid, 'sleep 1000'],
    ]);
  });

  scenario(
    'start -- command prints the command to use if a supervisor runs, starts nothing, and exits with 1 if it should run',
    async (stage) => {
      await started(stage, loose({ web: steady() }));
      const staged = await stage.sup('start', '--daemonize', '--name', 'nap', '--', 'sleep', '1000');
      expect(staged.status).toBe(0);
      expect(staged.stderr).toMatch(/^not started; saved as a unit because a supervisor is already running/);
      expect(staged.stdout.split('\n')).toHaveLength(2);
      expect([...servicesOf((await stage.status()).document).keys()]).toEqual(['__loose__/web']);
      const [line = ''] = staged.stdout.split('\n').filter((text) => text.startsWith('sup start --config '));
      expectDone(await stage.sup('start', '--daemonize', ...line.split(' ').slice(2)));
      await agree(stage, { web: 'running', nap: 'running' });
      // Without --daemonize the command promises nothing about the service.
      expectDone(await stage.sup('start', '--name', 'later', '--', 'sleep', '1000'));
    },
  );

  scenario('start -- command keeps each argument as typed', async (stage) => {
    const argv = [
      'sh',
      '-c',
      'printf "%s\\n" "$@" >said; exec sleep 1000',
      'sh',
      'a b',
      '$HOME',
      '${NOT_SET}',
      "it's",
    ];
    expectDone(await stage.sup('start', '--daemonize', '--name', 'say', '--', ...argv));
    await agree(stage, { say: 'running' });
    expect(await linesCome(stage, 'said', 4)).toEqual(['a b', '$HOME', '${NOT_SET}', "it's"]);
  });

  scenario('start -- command applies the variables in front of it', async (stage) => {
    const argv = ['GREETING=hello $USER', 'sh', '-c', 'echo "$GREETING" >said; exec sleep 1000'];
    expectDone(await stage.sup('start', '--daemonize', '--name', 'say', '--', ...argv));
    await agree(stage, { say: 'running' });
    expect(await linesCome(stage, 'said', 1)).toEqual(['hello $USER']);
  });

  scenario('a typed command is forgotten by its name with its manifest, started or not', async (stage) => {
    const staged = (name: string): string => join(stage.data, 'units', `${name}.yaml`);
    const nap = ['start', '--daemonize', '--name', 'nap', '--', 'sleep', '1000'];
    expectDone(await stage.sup(...nap));
    expectFailed(await stage.sup(...nap), 'ERR0200', 2);
    expectDone(await stage.sup('start', '--name', 'other', '--', 'true'));
    expectDone(await stage.sup('forget', 'other'));
    expectDone(await stage.sup('forget', 'nap'));
    expect(['nap', 'other'].filter((name) => existsSync(staged(name)))).toEqual([]);
    expect([...servicesOf((await stage.status()).document).keys()]).toEqual([]);
    expectFailed(await stage.sup('forget', 'nap'), 'ERR0202');
  });

  scenario('start -- command refuses an invalid service name and starts nothing', async (stage) => {
    expectFailed(await stage.sup('start', '--name', '../evil', '--', 'true'), 'ERR0200', 2);
    expect((await stage.status()).status).toBe(3);
  });
});
