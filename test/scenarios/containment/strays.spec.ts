// Needs the native addon.
// Containment: a process that dropped the mark from its environment, created a session and lost its parents
// still belongs to its run.
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { fileComes, linesCome, linesOf } from '../support/marks.ts';
import { goOn, killSupervisor, killWith } from '../support/own-death.ts';
import { isAlive, processOf } from '../support/process-table.ts';
import { loose, shell } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, come, expectDone, started } from '../support/witnesses.ts';

/** A double fork with nothing in its environment. The stray's pid is a line of the file. */
const daemonised = (file: string): string =>
  `env -i setsid /bin/sh -c '/bin/sleep 1000 >/dev/null 2>&1 & echo $! >>${file}'`;

const RUNS = 'echo "$SUP_UNIT" >>runs';

/** It is alive, and nothing that /proc tells of its environment or its kin leads to its service. */
const strayOf = async (stage: Stage, file = 'stray', count = 1): Promise<number> => {
  const pid = Number((await linesCome(stage, file, count)).at(-1));
  await holds('the stray without its parents', () => {
    const members = stage.members().map((member) => member.pid);
    const stray = processOf(pid);
    return stray !== undefined && !members.includes(pid) && !members.includes(stray.parent);
  });
  return pid;
};

describe('a process that has lost its mark', () => {
  scenario('a process that clears its environment after a scan ends with its run', async (stage) => {
    const until = (file: string): string => `until [ -e ${file} ]; do sleep 0.02; done`;
    const late = `setsid sh -c 'echo $$$$ >>late; ${until('shed')}; exec env -i sleep 1000' &`;
    await started(
      stage,
      loose({
        one: shell(`${until('begin')}; ${late} ${until('end')}; exit 4`, { restart_policy: 'never' }),
        other: shell('exec sleep 1000'),
      }),
    );
    stage.write('begin', '');
    const [pid = 0] = (await linesCome(stage, 'late', 1)).map(Number);
    // A scan of live processes.
    expectDone(await stage.sup('restart', '--service', 'other'));
    stage.write('shed', '');
    await holds('an empty environment', () => stage.members().every((member) => member.pid !== pid));
    stage.write('end', '');
    await come(stage, { one: 'failed' });
    expect(isAlive(pid)).toBe(false);
    await agree(stage, { one: 'failed', other: 'running' });
  });

  scenario(
    'a process without a mark gets the stop signal with its service, and is killed if it ignores it',
    async (stage) => {
      await started(
        stage,
        loose({
          mild: shell(`${daemonised('mild')}; exec sleep 1000`),
          wild: shell(`trap '' TERM; ${daemonised('wild')}; exec sleep 1000`, {
            stop_timeout: '300ms',
            limits: { nice: 5 },
          }),
          other: shell(`${daemonised('other')}; exec sleep 1000`),
        }),
      );
      const [mild, wild, other] = [
        await strayOf(stage, 'mild'),
        await strayOf(stage, 'wild'),
        await strayOf(stage, 'other'),
      ];
      expectDone(await stage.sup('stop', '--service', 'mild', '--service', 'wild'));
      expect([mild, wild, other].map(isAlive)).toEqual([false, false, true]);
      expectDone(await stage.sup('stop'));
      expect(isAlive(other)).toBe(false);
      await agree(stage, { mild: 'stopped', wild: 'stopped', other: 'stopped' });
    },
  );

  scenario('a process without a mark is gone before the service restarts after a crash', async (stage) => {
    const crash = `${RUNS}; ${daemonised('stray')}; [ "$(wc -l <runs)" = 2 ] || { sleep 0.5; exit 1; }; exec sleep 1000`;
    stage.declare(loose({ it: shell(crash, { backoff: '10ms' }) }));
    await stage.sup('start', '--daemonize');
    await linesCome(stage, 'stray', 2);
    await come(stage, { it: 'running' });
    expect(linesOf(stage, 'stray').map((pid) => isAlive(Number(pid)))).toEqual([false, true]);
  });

  scenario('a process without a mark is known to the next supervisor', async (stage) => {
    await started(stage, loose({ it: shell(`${RUNS}; ${daemonised('stray')}; exec sleep 1000`) }));
    const stray = await strayOf(stage);
    await killSupervisor(stage);
    await goOn(stage);
    expect(isAlive(stray)).toBe(true);
    const { it } = await agree(stage, { it: 'running' });
    await killWith(stage, [it]);
    expect(isAlive(stray)).toBe(true);
    await goOn(stage);
    await come(stage, { it: 'running' });
    expect(isAlive(stray)).toBe(false);
    expect(linesOf(stage, 'runs')).toEqual(['__loose__/it#1', '__loose__/it#2']);
    const second = await strayOf(stage, 'stray', 2);
    await killSupervisor(stage);
    expectDone(await stage.sup('stop'));
    expect(isAlive(second)).toBe(false);
  });

  scenario(
    'a process of a hook without a mark is left alone, and so is another supervisor',
    async (stage) => {
      const on_start = { success: { command: `${daemonised('hooked')}; touch hook` } };
      const inner = `SUP_DATA_DIR=${stage.root}/inner ${stage.line('start', '--daemonize', '--', 'sleep', '1000')}`;
      await started(
        stage,
        loose({ it: shell(`${inner} && touch in; exec sleep 1000`, { hooks: { on_start } }) }),
      );
      await fileComes(stage, 'in');
      await fileComes(stage, 'hook');
      const hooked = Number(linesOf(stage, 'hooked')[0]);
      const again = { environment: { SUP_DATA_DIR: `${stage.root}/inner` } };
      try {
        expectDone(await stage.sup('stop'));
        expect(isAlive(hooked)).toBe(true);
        const { stdout } = await stage.begin(['status'], again).ended;
        expect(stdout).toContain('running');
      } finally {
        process.kill(hooked, 'SIGKILL');
        await stage.begin(['shutdown'], again).ended;
      }
    },
  );
});
