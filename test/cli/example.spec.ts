// The example stack, as far as it can be checked without starting it.
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { manifestSchema } from '../../src/manifest/decode/top-level.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));
const ports = { environment: {}, uid: process.getuid?.() ?? 0, sys: false };

describe('the example stack', () => {
  it('the example stack loads without a problem', () => {
    const { problems, manifest } = loadManifest(at('shop/sup.yaml'), ports);
    expect(problems).toEqual([]);
    expect(manifest?.services.map(({ name }) => name)).toEqual([
      'migrate',
      'api',
      'worker',
      'recommender',
      'site',
    ]);
  });

  it('the example stack takes its ports from the environment', () => {
    const environment = { SHOP_API_PORT: '9001' };
    const { manifest } = loadManifest(at('shop/sup.yaml'), { ...ports, environment });
    const api = manifest?.services.find(({ name }) => name === 'api');
    expect(api?.env.vars).toMatchObject({ API_PORT: '9001', SITE_PORT: '8432' });
    expect(api?.deployment.healthCheck?.probe).toEqual({ tag: 'http', url: 'http://127.0.0.1:9001/health' });
  });

  it('the example stack runs existing programs', () => {
    const files = readdirSync(at('shop'));
    for (const { launch } of loadManifest(at('shop/sup.yaml'), ports).manifest?.services ?? [])
      expect(files).toContain(launch.tag === 'exec' ? launch.argv[1] : undefined);
    accessSync(at('shop/run.sh'), constants.X_OK);
  });

  it('the example stack names its schema, which is the one that sup prints', () => {
    expect(readFileSync(at('shop/sup.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/sup\.schema\.json\n/,
    );
    expect(JSON.parse(readFileSync(at('sup.schema.json'), 'utf8'))).toEqual(manifestSchema());
  });
});

describe('the example of children', () => {
  it('the example of children loads without a problem and runs existing programs', () => {
    const { problems, manifest } = loadManifest(at('spawn/sup.yaml'), ports);
    expect(problems).toEqual([]);
    expect(manifest?.services).toMatchObject([
      { name: 'desk', spawn: { mode: 'dynamic', children: 4, depth: 1, totalMemory: 256 * 2 ** 20 } },
    ]);
    for (const file of ['desk.sh', 'worker.sh', 'run.sh']) accessSync(at(`spawn/${file}`), constants.X_OK);
  });
});
