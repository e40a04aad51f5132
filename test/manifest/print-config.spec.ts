import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadManifest, manifestTree } from '../../src/manifest/load.ts';
import { printedConfig } from '../../src/manifest/print-config.ts';
import { directoryWith, loadText, portsWith } from './loading.ts';

const BASE = `version: "2"
projects:
  shop:
    services:
      web:
        command: web --password hunter2
        env: { vars: { TOKEN: s3cret }, secrets: { KEY: { file: key } } }
        depends_on: [db, { service: mail, required: false }]
      db: { exec: [pg, --password, hunter2], stop_timeout: 5s }
      mail: { command: m, profiles: [dev] }
  blog: { services: { web: { command: b, replicas: 2, depends_on: [top] }, top: { command: t, replicas: 1 } } }
services: { loose: { command: x } }
alerts: [{ url: "https://hooks.example.com/services/hunter2" }]
`;
const OVER = 'projects: { shop: { services: { db: { stop_timeout: 3s } } } }';

const printedWith = (
  wanted: { project?: string; showValues?: boolean; origin?: boolean; profiles?: readonly string[] } = {},
): ReturnType<typeof printedConfig> => {
  const { project, showValues = false, origin = false, profiles = [] } = wanted;
  const directory = realpathSync(directoryWith({ 'a.yaml': BASE, 'b.yaml': OVER }));
  const path = join(directory, 'a.yaml');
  const ports = portsWith({ readings: { [path]: { files: [join(directory, 'b.yaml')], profiles } } });
  const [{ manifest }, root] = [loadManifest(path, ports), manifestTree(path, ports)];
  if (manifest === undefined || root === undefined) throw new Error('it does not load');
  return printedConfig(root, { manifest, project, showValues, origin });
};

it('a printed manifest is valid, without services of other profiles and dependencies on them', () => {
  const { text } = printedWith();
  expect(loadText(text).manifest?.services.map(({ id }) => id)).toEqual([
    'shop/web',
    'shop/db',
    'blog/web@1',
    'blog/web@2',
    'blog/top@1',
    '__loose__/loose',
  ]);
  expect(text).not.toContain('mail');
  expect(text).toMatch(/depends_on:\n\s+- top\n/);
  expect(printedWith({ profiles: ['dev'] }).text).toContain('service: mail');
});

it('a printed manifest has the values of later files, and where each value is', () => {
  const { text, origins } = printedWith({ origin: true });
  expect(text).toMatch(/stop_timeout: 3s # \S*b\.yaml:1\n/);
  expect(origins['projects.shop.services.web.command']).toMatch(/a\.yaml:6$/);
  expect(origins['projects.shop.services.db.exec[0]']).toMatch(/a\.yaml:9$/);
});

it('a printed manifest shows no values of variables and no passwords, unless they are asked for', () => {
  const { text } = printedWith();
  expect(text).not.toMatch(/hunter2|s3cret/);
  expect(text).toContain('file: key');
  expect(printedWith({ showValues: true }).text).toMatch(/hunter2[^]*s3cret/);
});

it('a printed manifest can have one project only', () => {
  expect(Object.keys(printedWith({ project: 'blog' }).value as object)).toEqual([
    'version',
    'projects',
    'alerts',
  ]);
  expect(printedWith({ project: 'blog' }).text).not.toContain('shop');
});
