// Restart: every registered manifest is read again before anything is touched; then the world follows the files.
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { supervisorLog } from '../support/logs.ts';
import { linesCome } from '../support/marks.ts';
import { supervisorPid } from '../support/own-death.ts';
import { project, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, expectFailed, serviceIn, servicesOf, started } from '../support/witnesses.ts';

describe('a restart after the manifest has changed', () => {
  scenario('a restart stops removed services, starts new ones and applies changes', async (stage) => {
    await started(stage, project('shop', { old: steady(), web: steady() }));
    stage.declare(project('shop', { web: shell('echo new >>log; exec sleep 1000'), fresh: steady() }));
    expectDone(await stage.sup('restart'));
    await agree(stage, { 'shop/web': 'running', 'shop/fresh': 'running' });
    const { document } = await stage.status();
    expect([...servicesOf(document).keys()].sort()).toEqual(['shop/fresh', 'shop/web']);
    expect(stage.members('shop/old')).toEqual([]);
    expect(await linesCome(stage, 'log', 1)).toEqual(['new']);
  });

  scenario('a restart with an invalid manifest in its selection changes nothing: ERR0301', async (stage) => {
    stage.declare(project('shop', { web: steady() }), 'shop.yaml');
    const blog = stage.declare(project('blog', { web: steady() }), 'blog.yaml');
    expectDone(await stage.sup('start', '--daemonize', '-c', 'shop.yaml'));
    expectDone(await stage.sup('start', '--daemonize', '-c', 'blog.yaml'));
    const before = await agree(stage, { 'shop/web': 'running', 'blog/web': 'running' });
    stage.declare(project('blog', { web: steady({ restart_polcy: 'always' }) }), 'blog.yaml');
    for (const args of [['restart'], ['restart', '-p', 'blog'], ['apply'], ['apply', '-c', 'blog.yaml']]) {
      const refused = await stage.sup(...args);
      expectFailed(refused, 'ERR0301');
      expect(refused.stderr).toContain('restart_policy');
      expect(refused.stderr).toContain(`sup validate -c ${blog}`);
      expect(refused.stderr).toContain(`sup forget ${blog}`);
    }
    const after = await agree(stage, { 'shop/web': 'running', 'blog/web': 'running' });
    for (const name of ['shop/web', 'blog/web'] as const) expect(after[name].pid).toBe(before[name].pid);
  });

  scenario('a restart of a selection works beside broken and deleted manifests of others', async (stage) => {
    for (const id of ['shop', 'blog', 'old']) {
      stage.declare(project(id, { web: steady() }), `${id}.yaml`);
      expectDone(await stage.sup('start', '--daemonize', '-c', `${id}.yaml`));
    }
    const words = { 'shop/web': 'running', 'blog/web': 'running', 'old/web': 'running' } as const;
    const before = await agree(stage, words);
    stage.declare(project('shop', { web: steady({ exec: ['sleep', '999'] }) }), 'shop.yaml');
    stage.write('blog.yaml', 'version: 2\nprojects: [');
    rmSync(`${stage.work}/old.yaml`);
    const plan = await stage.sup('plan', '-c', 'shop.yaml');
    expect(plan).toMatchObject({ status: 2 });
    for (const args of [
      ['apply', '-p', 'shop'],
      ['restart', 'shop/web'],
      ['restart', '-c', 'shop.yaml'],
    ]) {
      const done = await stage.sup(...args);
      expect(done, done.stderr).toMatchObject({ status: 0 });
      for (const other of ['blog.yaml', 'old.yaml'])
        expect(done.stderr).toContain(`sup forget ${stage.work}/${other}`);
    }
    const after = await agree(stage, words);
    expect(after['shop/web'].run).toBe(4);
    for (const name of ['blog/web', 'old/web'] as const) expect(after[name].pid).toBe(before[name].pid);
    expectDone(await stage.sup('forget', `${stage.work}/old.yaml`));
    expect(stage.members('old/web')).toEqual([]);
  });

  scenario('a restart with a missing registered manifest changes nothing', async (stage) => {
    await started(stage, project('shop', { web: steady() }));
    const before = await agree(stage, { 'shop/web': 'running' });
    rmSync(`${stage.work}/sup.yaml`);
    expectFailed(await stage.sup('restart'), 'ERR0301');
    const after = await agree(stage, { 'shop/web': 'running' });
    expect(after['shop/web'].pid).toBe(before['shop/web'].pid);
  });

  scenario('SIGHUP restarts only changed services', async (stage) => {
    await started(stage, project('shop', { same: steady(), other: steady() }));
    const before = await agree(stage, { 'shop/same': 'running', 'shop/other': 'running' });
    stage.declare(project('shop', { same: steady(), other: shell('exec sleep 999') }));
    process.kill(await supervisorPid(stage), 'SIGHUP');
    await holds('the changed service', () =>
      stage.members('shop/other').some(({ command }) => command === 'sleep 999'),
    );
    await holds(
      'its readiness',
      async () => serviceIn((await stage.status()).document, 'shop/other').state === 'running',
    );
    const after = await agree(stage, { 'shop/same': 'running', 'shop/other': 'running' });
    expect(after['shop/same'].pid).toBe(before['shop/same'].pid);
    expect(after['shop/other'].pid).not.toBe(before['shop/other'].pid);
  });

  scenario('forget drops a manifest and stops its services', async (stage) => {
    await started(stage, project('shop', { web: steady() }));
    expectDone(await stage.sup('forget', 'sup.yaml'));
    expect((await stage.status()).document.projects).toEqual([]);
    expect(stage.members()).toEqual([]);
  });

  scenario('a manifest is known by its path when a link replaces its directory', async (stage) => {
    const path = stage.declare(project('shop', { web: steady() }), 'app/sup.yaml');
    expectDone(await stage.sup('start', '-d', '-c', path));
    const before = await agree(stage, { 'shop/web': 'running' });
    renameSync(`${stage.work}/app`, `${stage.work}/release`);
    symlinkSync('release', `${stage.work}/app`);
    expectDone(await stage.sup('apply'));
    for (const named of [path, 'release/sup.yaml']) expectDone(await stage.sup('start', '-d', '-c', named));
    const after = await agree(stage, { 'shop/web': 'running' });
    expect(after['shop/web'].pid).toBe(before['shop/web'].pid);
    expectDone(await stage.sup('forget', path));
    expect(stage.members()).toEqual([]);
  });

  scenario('a restart stops no service because of a dependency that was stopped by hand', async (stage) => {
    await started(stage, project('shop', { db: steady(), web: steady({ depends_on: ['db'] }) }));
    const before = await agree(stage, { 'shop/db': 'running', 'shop/web': 'running' });
    expectDone(await stage.sup('stop', 'shop/db'));
    stage.declare(
      project('shop', { db: steady(), web: steady({ depends_on: ['db'], exec: ['sleep', '999'] }) }),
    );
    const outcome = await stage.sup('apply');
    expectFailed(outcome, 'ERR0302');
    expect(outcome.stderr).toContain('ERR0109 shop/web: its dependency db');
    const after = await agree(stage, { 'shop/db': 'stopped', 'shop/web': 'running' });
    expect(after['shop/web'].pid).toBe(before['shop/web'].pid);
  });

  scenario('SIGHUP with an invalid manifest changes nothing', async (stage) => {
    await started(stage, project('shop', { web: steady() }));
    const before = await agree(stage, { 'shop/web': 'running' });
    stage.write('sup.yaml', 'version: 2\nprojects: [');
    process.kill(await supervisorPid(stage), 'SIGHUP');
    await holds('a line in the log', () => supervisorLog(stage).some((line) => line.includes('ERR0')));
    const after = await agree(stage, { 'shop/web': 'running' });
    expect(after['shop/web'].pid).toBe(before['shop/web'].pid);
  });
});
