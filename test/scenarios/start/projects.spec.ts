// Start: several projects, several files, loose services, and the names they go by.
import { describe, expect } from 'vitest';
import { loose, project, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, errorOf, expectDone, expectFailed } from '../support/witnesses.ts';

describe('starting projects', () => {
  scenario('a start starts every project of a file under its own name', async (stage) => {
    stage.declare({
      projects: {
        shop: { name: 'The shop', services: { web: steady() } },
        blog: { services: { web: steady(), db: steady() } },
      },
    });
    expectDone(await stage.sup('start', '--daemonize'));
    await agree(stage, { 'shop/web': 'running', 'blog/web': 'running', 'blog/db': 'running' });
    const { document } = await stage.status();
    expect(document.projects.map(({ id, name }) => [id, name])).toEqual(
      expect.arrayContaining([
        ['shop', 'The shop'],
        ['blog', 'blog'],
      ]),
    );
  });

  scenario('a second file leaves the processes of the first alone', async (stage) => {
    stage.declare(project('shop', { web: steady() }), 'shop.yaml');
    stage.declare(project('blog', { web: steady() }), 'blog.yaml');
    expectDone(await stage.sup('start', '--daemonize', '-c', 'shop.yaml'));
    const before = await agree(stage, { 'shop/web': 'running' });
    expectDone(await stage.sup('start', '--daemonize', '-c', 'blog.yaml'));
    const after = await agree(stage, { 'shop/web': 'running', 'blog/web': 'running' });
    expect(after['shop/web'].pid).toBe(before['shop/web'].pid);
  });

  scenario('loose services of two files are in one bundle', async (stage) => {
    stage.declare(loose({ a: steady() }), 'a.yaml');
    stage.declare(loose({ b: steady() }), 'b.yaml');
    expectDone(await stage.sup('start', '--daemonize', '-c', 'a.yaml'));
    expectDone(await stage.sup('start', '--daemonize', '-c', 'b.yaml'));
    await agree(stage, { a: 'running', b: 'running' });
  });

  scenario('a loose name or a project of another file is refused with both files', async (stage) => {
    stage.declare({ ...loose({ a: steady() }), ...project('shop', { web: steady() }) }, 'one.yaml');
    stage.declare(loose({ a: steady() }), 'two.yaml');
    stage.declare(project('shop', { web: steady() }), 'three.yaml');
    expectDone(await stage.sup('start', '--daemonize', '-c', 'one.yaml'));
    const before = await agree(stage, { a: 'running', 'shop/web': 'running' });
    for (const file of ['two.yaml', 'three.yaml']) {
      const refused = await stage.sup('start', '--daemonize', '-c', file);
      expectFailed(refused, 'ERR0218');
      expect(refused.stderr).toContain('one.yaml');
      expect(refused.stderr).toContain(file);
    }
    const after = await agree(stage, { a: 'running', 'shop/web': 'running' });
    expect([after.a.pid, after['shop/web'].pid]).toEqual([before.a.pid, before['shop/web'].pid]);
  });

  scenario('a service that moved to another file keeps running', async (stage) => {
    const [keep, moves] = [{ keep: { services: { k: steady() } } }, { q: { services: { a: steady() } } }];
    stage.declare({ projects: { ...keep, ...moves } }, 'x.yaml');
    stage.declare(project('p', { a: steady() }), 'y.yaml');
    for (const file of ['x.yaml', 'y.yaml']) expectDone(await stage.sup('start', '--daemonize', '-c', file));
    const all = { 'keep/k': 'running', 'q/a': 'running', 'p/a': 'running' } as const;
    const before = await agree(stage, all);
    stage.declare({ projects: keep }, 'x.yaml');
    stage.declare({ projects: { p: { services: { a: steady() } }, ...moves } }, 'y.yaml');
    expectDone(await stage.sup('plan'));
    expectDone(await stage.sup('apply'));
    expectDone(await stage.sup('start', '--daemonize', '-c', 'y.yaml'));
    const after = await agree(stage, all);
    expect(after['q/a'].pid).toBe(before['q/a'].pid);
    expectDone(await stage.sup('forget', 'x.yaml'));
    await agree(stage, { 'q/a': 'running', 'p/a': 'running' });
  });

  scenario('an ambiguous service name is refused, and -p or project/service decides', async (stage) => {
    stage.declare({
      projects: { shop: { services: { web: steady() } }, blog: { services: { web: steady() } } },
    });
    expectDone(await stage.sup('start', '--daemonize'));
    const refused = await stage.sup('stop', '--json', '--service', 'web');
    expect(refused.status).toBe(1);
    expect(errorOf(refused)).toMatchObject({ code: 'ERR0006', path: 'web' });
    await agree(stage, { 'shop/web': 'running', 'blog/web': 'running' });
    expectDone(await stage.sup('stop', '-p', 'shop', '--service', 'web'));
    await agree(stage, { 'shop/web': 'stopped', 'blog/web': 'running' });
    expectDone(await stage.sup('stop', '--service', 'blog/web'));
    await agree(stage, { 'shop/web': 'stopped', 'blog/web': 'stopped' });
  });

  scenario('a start works from any directory once a manifest is registered', async (stage) => {
    stage.declare(project('shop', { web: steady() }));
    expectDone(await stage.sup('start', '--daemonize'));
    const elsewhere = { directory: stage.data };
    expectDone(await stage.begin(['stop', '-p', 'shop'], elsewhere).ended);
    await agree(stage, { 'shop/web': 'stopped' });
    expectDone(await stage.begin(['start', '--daemonize', '-p', 'shop'], elsewhere).ended);
    await agree(stage, { 'shop/web': 'running' });
  });
});
