// `sup supervise`: the supervisor in the foreground, as init systems and containers have it.
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { loose, project, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectFailed } from '../support/witnesses.ts';

describe('a supervisor in the foreground', () => {
  scenario(
    'a supervisor in the foreground registers and starts the manifests it was given',
    async (stage) => {
      stage.declare(loose({ web: steady() }), 'web.yaml');
      stage.declare(project('shop', { api: steady() }), 'shop.yaml');
      stage.begin(['supervise', '-c', 'web.yaml', 'shop.yaml']);
      await holds('both run', async () => {
        const { document } = await stage.status();
        const states = document.projects.flatMap(({ services }) => services.map(({ state }) => state));
        return states.length === 2 && states.every((state) => state === 'running');
      });
      await agree(stage, { web: 'running', 'shop/api': 'running' });
    },
  );

  scenario('a supervisor in the foreground is refused with a broken or missing manifest', async (stage) => {
    stage.write('broken.yaml', 'version: 2\nservices:\n  web:\n    comand: x\n');
    expectFailed(await stage.sup('supervise', '-c', 'broken.yaml'), 'ERR0211');
    expectFailed(await stage.sup('supervise', '-c', 'nowhere.yaml'), 'ERR0203');
    expect((await stage.status()).status).toBe(3);
  });

  scenario(
    'a supervisor in the foreground is refused while another one runs, with a code and status 3',
    async (stage) => {
      stage.begin(['supervise']);
      await holds('it runs', async () => (await stage.status()).document.supervisor.running);
      const second = await stage.sup('supervise');
      expect([second.status, second.stderr.slice(0, 7)]).toEqual([3, 'ERR0702']);
      const third = await stage.sup('supervise', '--json');
      expect(JSON.parse(third.stderr)).toMatchObject({ schema: 'sup.error/1', error: { code: 'ERR0702' } });
    },
  );
});
