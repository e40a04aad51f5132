// What a command says that it did: what became of each service, never what was selected.
import { describe, expect } from 'vitest';
import { loose, project, script, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { expectDone, started } from '../support/witnesses.ts';

describe('the answer of a command', () => {
  scenario(
    'an answer names and counts what happened, with the downtime of a restarted service',
    async (stage) => {
      await started(stage, loose({ a: steady(), b: steady(), off: steady({ skip: true }) }));
      expectDone(await stage.sup('stop', 'a'));
      expect((await stage.sup('stop')).stdout).toBe(
        '1 service stopped: b\n2 services down already: a, off\n',
      );
      expect((await stage.sup('start', '-d', 'b')).stdout).toBe('1 service started: b\n');
      expect((await stage.sup('start', '-d')).stdout).toBe(
        '1 service started: a\n1 service already running: b\n1 service skipped: off\n',
      );
      expect((await stage.sup('restart', 'a')).stdout).toMatch(
        /^1 service restarted: a \(down [\d.]+ m?s\)\n$/,
      );
      const { stdout } = await stage.sup('restart', '--json', 'b');
      const [service] = (JSON.parse(stdout) as { services: { down_ms: number }[] }).services;
      expect(service).toMatchObject({ service: '__loose__/b', what: 'restarted' });
      expect(service?.down_ms).toBeGreaterThan(0);
    },
  );

  scenario(
    'a bulk command names its services beforehand, and how to select this directory only',
    async (stage) => {
      await started(stage, loose({ a: steady(), b: steady() }));
      const shop = stage.declare(project('shop', { api: steady() }), 'shop/sup.yaml');
      expectDone(await stage.sup('start', '-d', '-c', shop));
      const bulk = await stage.sup('restart');
      expect(bulk.stderr).toMatch(
        /^restarting 3 services: loose services 2, shop 1 \(only those of this directory: sup restart --here\)\n/,
      );
      expect((await stage.sup('stop', '--here')).stderr).toMatch(/^stopping 2 services: loose services 2\n/);
      expect((await stage.sup('restart', 'shop/api')).stderr).not.toContain('restarting');
      expect((await stage.sup('stop', '-q')).stderr).toBe('');
    },
  );

  scenario('with --json the output is one document, also for an error', async (stage) => {
    await started(stage, loose({ slow: script('stubborn.sh', [], { stop_timeout: '1s' }), b: steady() }));
    const stop = await stage.sup('stop', '--json');
    expect([stop.status, stop.stderr]).toEqual([0, '']);
    stage.declare(loose({ bad: steady({ deployment: { pre_start: 'sleep 1; exit 1' } }) }));
    const start = await stage.sup('start', '--json');
    expect(start.status).toBe(1);
    expect(JSON.parse(start.stderr)).toMatchObject({ schema: 'sup.error/1' });
  });
});
