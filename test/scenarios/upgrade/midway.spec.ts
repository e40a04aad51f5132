// Needs the native addon.
// Operations that are under way during an upgrade continue and do not start again.
import { createServer } from 'node:http';
import { describe, expect } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { holds } from '../support/eventually.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { onDisk } from '../support/own-death.ts';
import { project, shell, steady } from '../support/recipes.ts';
import { recordText } from '../support/record.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, pass, serviceIn } from '../support/witnesses.ts';

const RETRIES = 8;

interface Recorded {
  readonly spec: { readonly name: string };
  readonly wanted: string;
  readonly attempts: number;
  readonly actual: { readonly tag: string; readonly until?: number; readonly phaseSince?: number };
}

/** How the service is on record: for how long, and since when. */
const recordOf = (stage: Stage, name: string): unknown => {
  const { services } = JSON.parse(recordText(stage.data, 'shop')) as {
    services: readonly Recorded[];
  };
  const one = services.find(({ spec }) => spec.name === name);
  return one && [one.wanted, one.attempts, one.actual.tag, one.actual.until, one.actual.phaseSince];
};

/** Answers that it is not ready, and counts requests. */
const refusing = async (port: number): Promise<{ count: () => number; close: () => void }> => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.writeHead(503).end();
  });
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready));
  return { count: () => asked, close: () => server.close() };
};

describe('an upgrade at an awkward moment', () => {
  scenario('an upgrade changes no backoff, stop, probe or schedule under way', async (stage) => {
    const port = await freePort();
    const probe = await refusing(port);
    stage.declare(
      project('shop', {
        crashing: shell('echo run >> crashed; exit 3', { backoff: '24s', max_restarts: 1 }),
        stubborn: shell(
          'trap "echo asked >> stopped" TERM; echo up >> stopped; while :; do sleep 0.1; done',
          {
            stop_timeout: '18s',
          },
        ),
        probed: steady({
          restart_policy: 'never',
          deployment: {
            health_check: {
              ...{ url: `http://127.0.0.1:${port}/`, interval: '1s', start_interval: '1s', retries: RETRIES },
            },
          },
        }),
        scheduled: shell('exit 0', { cron: { expression: '*/4 * * * * *' } }),
      }),
    );
    const start = stage.begin(['start', '--daemonize']);
    await linesCome(stage, 'stopped', 1);
    const stop = stage.begin(['stop', 'shop/stubborn']);
    await linesCome(stage, 'stopped', 2);
    await pass(stage, { 'shop/crashing': 'backoff', 'shop/stubborn': 'stopping' });
    await holds('three probes', () => probe.count() >= 3);
    await pass(stage, { 'shop/crashing': 'backoff' });
    await onDisk(stage, 'shop', '"tag":"backing-off"');
    await onDisk(stage, 'shop', '"phase":"asking"');
    const due = async (): Promise<unknown> => {
      const { document } = await stage.status();
      const { next_attempt_at, restarts, run } = serviceIn(document, 'shop/crashing');
      return { next_attempt_at, restarts, run };
    };
    const before = [recordOf(stage, 'crashing'), recordOf(stage, 'stubborn'), await due()];
    expectDone(await stage.sup('upgrade'));
    expect([recordOf(stage, 'crashing'), recordOf(stage, 'stubborn'), await due()]).toEqual(before);

    // Each comes to the end that it was on its way to.
    await holds('the breaker', async () => {
      const { state } = serviceIn((await stage.status()).document, 'shop/crashing');
      return state === 'breaker-open';
    });
    expect(linesOf(stage, 'crashed')).toEqual(['run', 'run']);
    expectDone(await stop.ended);
    expect(linesOf(stage, 'stopped')).toEqual(['up', 'asked']);
    expect(serviceIn((await stage.status()).document, 'shop/stubborn')).toMatchObject({
      state: 'stopped',
      last_exit: { signal: 'SIGKILL' },
    });
    await pass(stage, { 'shop/probed': 'failed' });
    // The one that was under way may have been asked again; it counts once.
    expect(probe.count() - RETRIES).toBeOneOf([0, 1]);
    probe.close();
    await start.ended;
    const [job] = (await stage.inspect('shop/scheduled')).services;
    const runs = (job?.cron_runs ?? []).map(({ due_at }) => Date.parse(due_at) / 1000);
    expect(runs.length).toBeGreaterThan(3);
    expect(runs).toEqual(runs.map((_, at) => (runs[0] ?? 0) + 4 * at));
  });

  scenario('an upgrade leaves a slow probe its time, before and after readiness', async (stage) => {
    const health_check = {
      command: 'echo $$$$ >> asked; sleep 1.5; echo $$$$ >> answered',
      ...{ interval: '100ms', retries: 1 },
    };
    stage.declare(project('shop', { probed: steady({ deployment: { health_check } }) }));
    const start = stage.begin(['start', '--daemonize']);
    for (const asked of [1, 3]) {
      await linesCome(stage, 'asked', asked);
      expectDone(await stage.sup('upgrade'));
    }
    expectDone(await start.ended);
    await linesCome(stage, 'answered', 3);
    expect(linesOf(stage, 'asked').slice(0, 3)).toEqual(linesOf(stage, 'answered').slice(0, 3));
    const { document } = await stage.status();
    expect(serviceIn(document, 'shop/probed')).toMatchObject({
      state: 'running',
      run: 1,
      health: 'healthy',
    });
  });

  scenario('an upgrade during the start of many services starts each once', async (stage) => {
    const names = Array.from({ length: 60 }, (_, at) => `s${at}`);
    const one = shell('echo $SUP_SERVICE >> begun; exec sleep 1000');
    stage.declare(project('shop', Object.fromEntries(names.map((name) => [name, one]))));
    expectDone(await stage.sup('start', '--daemonize'));
    await linesCome(stage, 'begun', names.length);
    expectDone(await stage.sup('stop', '-p', 'shop'));
    const start = stage.begin(['start', '--daemonize']);
    await linesCome(stage, 'begun', names.length + 2);
    expectDone(await stage.sup('upgrade'));
    expectDone(await start.ended);
    const counts = new Map(names.map((name) => [name, 0]));
    for (const name of await linesCome(stage, 'begun', 2 * names.length))
      counts.set(name, (counts.get(name) ?? 0) + 1);
    expect(new Set(counts.values())).toEqual(new Set([2]));
    const { document } = await stage.status();
    for (const name of names)
      expect(serviceIn(document, `shop/${name}`)).toMatchObject({ state: 'running', run: 2 });
  });
});
