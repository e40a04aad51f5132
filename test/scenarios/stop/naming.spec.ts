// Which services a command line means: names, patterns, projects, manifests, and the one of this directory.
import { describe, expect } from 'vitest';
import { loose, project, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectDone, expectFailed, started } from '../support/witnesses.ts';

/** A project in a directory of its own beside the loose services of this one. */
const twoManifests = async (stage: Stage): Promise<string> => {
  await started(stage, loose({ web: steady(), 'web-2': steady(), db: steady() }));
  const shop = stage.declare(project('shop', { api: steady(), db: steady() }), 'shop/sup.yaml');
  expectDone(await stage.sup('start', '-d', '-c', shop));
  return shop;
};

describe('naming services', () => {
  scenario('stop takes names, patterns and -s together', async (stage) => {
    await twoManifests(stage);
    expectDone(await stage.sup('stop', 'web*', 'shop/db', '-s', 'api'));
    await agree(stage, {
      web: 'stopped',
      'web-2': 'stopped',
      db: 'running',
      'shop/api': 'stopped',
      'shop/db': 'stopped',
    });
    expectDone(await stage.sup('start', '-d', 'web', 'shop/api'));
    await agree(stage, { web: 'running', 'web-2': 'stopped', 'shop/api': 'running', 'shop/db': 'stopped' });
    const { stdout } = await stage.sup('status', 'web*', '--json');
    expect(stdout).toContain('web-2');
    expect(stdout).not.toContain('"db"');
  });

  scenario('stop with --here or -c means that manifest only', async (stage) => {
    const shop = await twoManifests(stage);
    expectDone(await stage.sup('stop', '--here'));
    await agree(stage, { web: 'stopped', db: 'stopped', 'shop/api': 'running', 'shop/db': 'running' });
    expectDone(await stage.sup('restart', '-c', shop));
    const { 'shop/api': api } = await agree(stage, { web: 'stopped', 'shop/api': 'running' });
    expect(api.run).toBe(2);
    expectDone(await stage.sup('stop', '-c', 'shop/sup.yaml'));
    await agree(stage, { 'shop/api': 'stopped', 'shop/db': 'stopped' });
  });

  scenario(
    'stop refuses a name, a project and a manifest without a match, and changes nothing',
    async (stage) => {
      const shop = await twoManifests(stage);
      for (const command of ['stop', 'restart', 'inspect', 'logs', 'status']) {
        expectFailed(await stage.sup(command, '-c', 'nowhere.yaml'), 'ERR0202');
        expectFailed(await stage.sup(command, '-p', 'nowhere'), 'ERR0202');
        expectFailed(await stage.sup(command, 'web', 'nobody'), 'ERR0202');
        expectFailed(await stage.sup(command, '-c', shop, 'web'), 'ERR0201');
        expectFailed(await stage.sup(command, '-c', stage.work + '/sup.yaml', '-p', 'shop'), 'ERR0201');
      }
      await agree(stage, { web: 'running', db: 'running', 'shop/api': 'running', 'shop/db': 'running' });
    },
  );

  scenario(
    'start overrides skip for a service that is named, and not for one that a pattern matches',
    async (stage) => {
      await started(stage, loose({ a: steady({ skip: true }), b: steady() }));
      expectDone(await stage.sup('start', '-d', 'a*'));
      await agree(stage, { a: 'skipped', b: 'running' });
      expectDone(await stage.sup('start', '-d', 'a'));
      await agree(stage, { a: 'running', b: 'running' });
    },
  );

  scenario('options that a command does not use are refused with status 2', async (stage) => {
    await twoManifests(stage);
    for (const line of [
      ['shutdown', '-p', 'shop'],
      ['forget', '-p', 'shop', 'x.yaml'],
      ['version', '-c', 'sup.yaml'],
      ['validate', '-p', 'nosuch'],
    ]) {
      const { status, stderr } = await stage.sup(...line);
      expect([status, stderr.slice(0, 7)]).toEqual([2, 'ERR0200']);
    }
    await agree(stage, { web: 'running', 'shop/api': 'running' });
  });
});
