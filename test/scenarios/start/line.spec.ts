// Start: a service is ready when it says so in its output.
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { goOn, killSupervisor } from '../support/own-death.ts';
import { loose, shell, type Declared } from '../support/recipes.ts';
import { serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import { fullName, type Stage } from '../support/stage.ts';
import { agree, expectDone, expectFailed, servicesOf, started } from '../support/witnesses.ts';

const says = (command: string, check: Declared = {}, more: Declared = {}): Declared =>
  shell(command, {
    restart_policy: 'never',
    deployment: { health_check: { log: '^ready (to|at) ', ...check } },
    ...more,
  });

const WAITS = 'until [ -e go ]; do sleep 0.05; done; ';

/** Settles with the pid of the process in this state. A service that starts has none at first. */
const stateComes = (stage: Stage, state: string): Promise<number> =>
  eventually({
    what: `web ${state}`,
    look: async () => {
      const web = servicesOf((await stage.status()).document).get(fullName('web'));
      return web?.state === state ? (web.pid ?? undefined) : undefined;
    },
  });

describe('a service with a check by log', () => {
  scenario('a service is ready with the line that matches, and its dependents start then', async (stage) => {
    const web = says('echo not ready to; printf "ready "; sleep 0.2; echo to serve >&1; exec sleep 1000');
    await started(stage, loose({ web, next: shell('exec sleep 1000', { depends_on: ['web'] }) }));
    await agree(stage, { web: 'running', next: 'running' });
  });

  scenario('a service that never prints the line fails to start with ERR0104', async (stage) => {
    stage.declare(loose({ web: says('echo not ready to; exec sleep 1000', { timeout: '500ms' }) }));
    expectFailed(await stage.sup('start', '--daemonize'), 'ERR0104');
    await agree(stage, { web: 'failed' });
  });

  for (const [name, command, release] of [
    ['was printed before the supervisor was killed', `echo ready to serve; ${WAITS}exec sleep 1000`, false],
    ['is printed while no supervisor runs', `${WAITS}echo ready at last; exec sleep 1000`, true],
  ] as const)
    scenario(`the next supervisor finds the line that ${name}`, async (stage) => {
      stage.declare(loose({ web: says(command) }));
      const start = stage.sup('start', '--daemonize');
      const pid = await stateComes(stage, release ? 'starting' : 'running');
      await killSupervisor(stage);
      await start;
      if (release) stage.write('go', '');
      await goOn(stage);
      expect(await stateComes(stage, 'running')).toBe(pid);
    });

  scenario('a candidate of a rollout is ready with a line of its own output', async (stage) => {
    const rolled = (command: string, timeout = '90s'): Declared => ({
      ...says(command),
      deployment: { strategy: 'rolling', health_check: { log: 'ready to', timeout } },
    });
    await started(stage, loose({ web: rolled('echo ready to serve; exec sleep 1000') }));
    const { pid } = await serviceOf(stage, 'web');
    stage.declare(loose({ web: rolled('exec sleep 1000', '2s') }));
    expect((await stage.sup('apply')).stderr).toContain('no line of output matched ready to within 2 s');
    expect((await serviceOf(stage, 'web')).pid).toBe(pid);
    stage.declare(loose({ web: rolled('echo ready to serve; exec sleep 2000') }));
    expectDone(await stage.sup('apply'));
    expect((await serviceOf(stage, 'web')).pid).not.toBe(pid);
  });
});
