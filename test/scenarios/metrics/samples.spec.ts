// Samples: what the tree of a service uses is told by every document, charts, and the page for monitoring.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { ServiceDocument } from '../../../src/streams/wire/documents/documents.ts';
import type { MetricsDocument } from '../../../src/streams/wire/documents/metrics-documents.ts';
import { readOpenMetrics } from '../../sinks/metrics/strict-open-metrics.ts';
import { eventually, holds } from '../support/eventually.ts';
import { freePort, isListening } from '../support/free-port.ts';
import { killSupervisor } from '../support/own-death.ts';
import { loose, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { errorOf, expectDone, serviceIn, started } from '../support/witnesses.ts';

const MIB = 1024 * 1024;
const SPIN = 'while :; do :; done';
const BALLAST = 'const b = Buffer.alloc(50 * 1024 * 1024, 1); setInterval(() => b, 1e6)';

const seen = async (stage: Stage, name: string, is: (service: ServiceDocument) => boolean) =>
  eventually({
    what: `the numbers of ${name}`,
    look: async () => {
      const service = serviceIn((await stage.status()).document, name);
      return is(service) ? service : undefined;
    },
  });

/** Of one core: a machine with much else to do gives little. */
const fairShare = 6;

describe('samples', () => {
  scenario('samples cover the whole tree: CPU, children and memory', async (stage) => {
    await started(
      stage,
      loose({
        busy: shell(SPIN),
        parent: shell(`(${SPIN}) & wait`),
        ballast: { exec: [process.execPath, '-e', BALLAST], stop_timeout: '1s' },
        quiet: steady(),
      }),
    );
    // One sample may be wrong: a busy machine may interrupt the supervisor between the clock and the counters.
    await seen(stage, 'busy', ({ cpu_percent: cpu }) => (cpu ?? 0) > fairShare && (cpu ?? 0) < 130);
    await seen(stage, 'parent', ({ cpu_percent: cpu }) => (cpu ?? 0) > fairShare);
    const ballast = await seen(stage, 'ballast', ({ rss_bytes: memory }) => (memory ?? 0) > 50 * MIB);
    expect(ballast.rss_bytes).toBeLessThan(250 * MIB);
    // Its first sample contains its start.
    const quiet = await seen(stage, 'quiet', ({ cpu_percent: cpu }) => cpu !== null && cpu < 5);
    expect(quiet.rss_bytes).toBeLessThan(20 * MIB);
    const table = (await stage.sup('status')).stdout;
    expect(table).toMatch(/busy .* \d+\.\d % .* (K|M)iB /);
  });

  scenario('samples cover the present run and nothing of a stopped one', async (stage) => {
    await started(stage, loose({ web: steady(), db: steady() }));
    await seen(stage, 'web', ({ rss_bytes: memory }) => memory !== null);
    expectDone(await stage.sup('stop', 'web'));
    const { document } = await stage.status();
    expect(serviceIn(document, 'web')).toMatchObject({ cpu_percent: null, rss_bytes: null });
    expectDone(await stage.sup('stop'));
    expect(serviceIn((await stage.status()).document, 'db')).toMatchObject({ rss_bytes: null });
    expectDone(await stage.sup('start', '--daemonize'));
    await seen(stage, 'web', ({ cpu_percent: cpu }) => cpu !== null);
  });

  scenario('with mode off there are no samples, and with mode detailed there is the tree', async (stage) => {
    await started(stage, {
      status: { snapshot_mode: 'off' },
      ...loose({ web: shell('sleep 1000 & wait') }),
    });
    await pause(1_500);
    expect(serviceIn((await stage.status()).document, 'web').rss_bytes).toBeNull();
    // Inspect asks the kernel itself.
    const [asked] = (await stage.inspect('web')).services;
    expect(asked?.rss_bytes).toBeGreaterThan(0);
    expect(asked?.cpu_percent).toBeLessThan(50);
    stage.declare({ status: { snapshot_mode: 'detailed' }, ...loose({ web: shell('sleep 1000 & wait') }) });
    expectDone(await stage.sup('apply'));
    await seen(stage, 'web', ({ rss_bytes: memory }) => memory !== null);
    const [web] = (await stage.inspect('web')).services;
    expect(web?.processes?.map(({ name }) => name).sort()).toEqual(['sh', 'sleep']);
  });

  scenario(
    'samples end when the mode is switched off, and the tree when it is no longer detailed',
    async (stage) => {
      const services = loose({ web: shell('sleep 1000 & wait') });
      const become = async (mode: string): Promise<void> => {
        stage.declare({ status: { snapshot_mode: mode }, ...services });
        expectDone(await stage.sup('apply'));
      };
      await started(stage, { status: { snapshot_mode: 'detailed' }, ...services });
      await seen(stage, 'web', ({ cpu_percent: cpu }) => cpu !== null);
      await become('summary');
      expect((await stage.inspect('web')).services[0]?.processes ?? null).toBeNull();
      await become('off');
      expect(serviceIn((await stage.status()).document, 'web')).toMatchObject({
        cpu_percent: null,
        rss_bytes: null,
      });
      expect((await stage.sup('metrics')).stdout).not.toContain('sup_service_memory_bytes{');
      await become('summary');
      await seen(stage, 'web', ({ cpu_percent: cpu }) => cpu !== null);
    },
  );

  scenario('samples of a window survive the supervisor on disk and are drawn', async (stage) => {
    await started(stage, { metrics: { spillover_path: 'spill' }, ...loose({ web: steady() }) });
    const points = async (): Promise<number> => {
      const { stdout } = await stage.sup('inspect', 'web', '--window', '5m', '--json');
      const { services } = JSON.parse(stdout) as Awaited<ReturnType<Stage['inspect']>>;
      return (services[0]?.samples?.points ?? []).reduce((all, { samples }) => all + samples, 0);
    };
    await holds('eleven seconds of samples', async () => (await points()) > 11);
    await killSupervisor(stage);
    expectDone(await stage.sup('start', '--daemonize'));
    await holds('those from before', async () => (await points()) >= 10);
    const page = (await stage.sup('inspect', 'web', '--window', '1m')).stdout;
    expect(page).toMatch(/^ {2}cpu .* % to /m);
    expect(page).toMatch(/^ {2}memory .*iB to /m);
    expect((await stage.inspect('web')).services[0]?.samples).toBeNull();
    expect(errorOf(await stage.sup('inspect', 'web', '--window', 'soon', '--json')).code).toBe('ERR0200');
  });

  scenario('after an orderly end all samples are on disk', async (stage) => {
    await started(stage, { metrics: { spillover_path: 'spill' }, ...loose({ web: steady() }) });
    await seen(stage, 'web', ({ cpu_percent: cpu }) => cpu !== null);
    expectDone(await stage.sup('shutdown'));
    const { stdout } = await stage.sup('inspect', 'web', '--window', '5m', '--json');
    const { services } = JSON.parse(stdout) as Awaited<ReturnType<Stage['inspect']>>;
    expect(services[0]?.samples?.points).not.toEqual([]);
  });
});

describe('the metrics page', () => {
  scenario('sup metrics prints the page in strict OpenMetrics', async (stage) => {
    await started(stage, loose({ web: shell(SPIN), done: { exec: ['true'], restart_policy: 'never' } }));
    await seen(stage, 'web', ({ cpu_percent: cpu }) => (cpu ?? 0) > fairShare);
    await seen(stage, 'done', ({ state }) => state === 'done');
    const { stdout, status } = await stage.sup('metrics');
    expect(status).toBe(0);
    const series = readOpenMetrics(stdout);
    const of = (name: string): Readonly<Record<string, number>> =>
      Object.fromEntries(
        series
          .filter((each) => each.name === name)
          .map(({ labels, value }) => [labels['service'] ?? '', value] as const),
      );
    expect(of('sup_service_up')).toEqual({ web: 1, done: 0 });
    expect(of('sup_service_restarts_total')).toEqual({ web: 0, done: 0 });
    // A later sample than the one that was seen: of a busy machine it may have little.
    expect(of('sup_service_cpu_ratio')['web']).toBeGreaterThan(0);
    expect(of('sup_service_cpu_ratio')['done']).toBeUndefined();
    expect(of('sup_supervisor_memory_bytes')['']).toBeGreaterThan(20 * MIB);
    const document = JSON.parse((await stage.sup('metrics', '--json')).stdout) as MetricsDocument;
    expect(document.supervisor.cpu_percent).toBeGreaterThan(0);
    expect((await stage.sup('doctor')).stdout).toMatch(
      /^ok +usage: the supervisor has used \d+\.\d % of a core/m,
    );
    expect(document.schema).toBe('sup.metrics/1');
  });

  scenario('the page is served only where supervise was told to', async (stage) => {
    const refused = await stage.sup('supervise', '--metrics-listen', 'everywhere');
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringContaining('is not an address with a port'),
    ]);
    const port = await freePort();
    const file = stage.declare(loose({ web: steady() }));
    const running = stage.begin(['supervise', '-c', file, '--metrics-listen', String(port)]);
    await holds('somebody to listen', () => isListening(port));
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(response.headers.get('content-type')).toContain('application/openmetrics-text');
    expect(readOpenMetrics(await response.text()).length).toBeGreaterThan(3);
    running.child.kill('SIGTERM');
    expect((await running.ended).status).toBe(0);
    expect(await isListening(port)).toBe(false);
  });
});
