// Profiles: chosen by a start, and used by everything that reads the manifest later.
import { expect } from 'vitest';
import { loose, steady } from '../support/recipes.ts';
import { killSupervisor } from '../support/own-death.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, expectFailed } from '../support/witnesses.ts';

scenario('profiles are remembered until another start names others', async (stage) => {
  const mail = steady({ profiles: ['dev'] });
  const top = steady({ profiles: ['debug'] });
  stage.declare(loose({ web: steady(), mail, top }));
  expectFailed(await stage.sup('start', '-d', '--profile', 'dve'), 'ERR0226');
  const offered = await stage.sup('__complete', 'start', '--profile', 'dev', '--profile', '');
  expect(offered.stdout).toBe('debug\n');
  for (const command of ['start', 'logs']) {
    const refused = await stage.sup(command, 'mail');
    expectFailed(refused, 'ERR0202');
    expect(refused.stderr).toMatch(/profile dev, which is not chosen\n.*sup start -c \S+ --profile dev mail/);
  }
  expectDone(await stage.sup('start', '-d', '--profile', 'dev'));
  await agree(stage, { web: 'running', mail: 'running' });

  await killSupervisor(stage);
  const again = await stage.sup('start', '-d');
  expectDone(again);
  expect(again.stderr).toContain('profiles as before: dev');
  expect((await stage.sup('plan')).status).toBe(0);
  await agree(stage, { web: 'running', mail: 'running' });

  const unchosen = await stage.sup('inspect', 'top');
  expectFailed(unchosen, 'ERR0202');
  expect(unchosen.stderr).toMatch(/sup start -c \S+ --profile dev --profile debug top/);
  expect((await stage.inspect('mail')).services).toMatchObject([
    { profiles: ['dev'], chosen_profiles: ['dev'] },
  ]);

  expectDone(await stage.sup('upgrade'));
  expectFailed(await stage.sup('stop', 'top'), 'ERR0202');
  expectDone(await stage.sup('start', '-d', '--profile', 'debug'));
  expectDone(await stage.sup('apply'));
  await agree(stage, { web: 'running', top: 'running' });
});
