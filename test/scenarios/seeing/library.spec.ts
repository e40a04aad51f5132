// The client library with a real supervisor: what a program sees of crashes, of an upgrade and of the end of the
// supervisor, and what its commands answer.
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  ClientFailure,
  connect,
  type Feed,
  type StatusDocument,
  type Sup,
} from '../../../src/client/library.ts';
import { eventually, PATIENCE_MS } from '../support/eventually.ts';
import { killSupervisor } from '../support/own-death.ts';
import { project, shell, steady, UNREADY } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { expectSchema } from '../support/schemas.ts';
import { expectDone, servicesOf, started } from '../support/witnesses.ts';

/** Resolves to the first value that fits. */
const firstThat = async <T>(value$: Feed<T>, fits: (value: T) => boolean): Promise<T> => {
  const loop = async (): Promise<T> => {
    for await (const value of value$) if (fits(value)) return value;
    throw new Error('the feed has ended');
  };
  return Promise.race([loop(), late()]);
};

const late = async (): Promise<never> => {
  await pause(PATIENCE_MS, undefined, { ref: false });
  throw new Error(`nothing that fits in ${PATIENCE_MS} ms`);
};

const stateIn = (status: StatusDocument, name: string): string | undefined =>
  servicesOf(status).get(name)?.state;

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const thrown: unknown = await promise.catch((error: unknown) => error);
  if (!(thrown instanceof ClientFailure)) throw new Error('it did not fail');
  return thrown.document.code;
};

const SHOP = {
  db: steady({ backoff: '100ms' }),
  web: shell('i=0; while :; do i=$((i+1)); echo "line $i"; sleep 0.02; done', {
    depends_on: ['db'],
    backoff: '100ms',
  }),
};

/** The documents that a program got; each fits its schema. */
const watched = (sup: Sup): { readonly seen: readonly StatusDocument[]; readonly end: () => void } => {
  const seen: StatusDocument[] = [];
  const subscription = sup.status$.subscribe({
    next: (status) => seen.push(expectSchema(status)),
    error: expect.unreachable,
  });
  return { seen, end: () => subscription.unsubscribe() };
};

scenario('a program sees a crash, a killed supervisor and an upgrade through the library', async (stage) => {
  await started(stage, project('shop', SHOP));
  const sup = connect({ dataDir: stage.data });
  const { seen, end } = watched(sup);
  const web$ = sup.service$('web');
  const first = await firstThat(web$, (web) => web?.state === 'running');

  process.kill(first?.pid ?? 0, 'SIGKILL');
  const second = await firstThat(web$, (web) => web?.state === 'running' && web.pid !== first?.pid);

  await killSupervisor(stage);
  await firstThat(sup.status$, ({ supervisor }) => !supervisor.running);
  expectDone(await stage.sup('start', '-d'));
  const back = await firstThat(
    sup.status$,
    (status) => status.supervisor.running && stateIn(status, 'shop/web') === 'running',
  );
  expect(servicesOf(back).get('shop/web')?.pid).toBe(second?.pid);

  const before = seen.length;
  expectDone(await stage.sup('upgrade'));
  const restart = firstThat(sup.events$, ({ service, to }) => service === 'db' && to === 'running');
  for (const run of [2, 3]) {
    await sup.restart({ services: ['db'] });
    await firstThat(sup.service$('db'), (db) => db?.run === run);
  }
  expect(expectSchema(await restart).kind).toBe('state');
  expect(seen.slice(before).every(({ supervisor }) => supervisor.running)).toBe(true);
  end();
});

scenario('a program reads logs at its own pace, and its commands answer what happened', async (stage) => {
  const sup = connect({ dataDir: stage.data });
  expect(await sup.status()).toMatchObject({ supervisor: { running: false }, projects: [] });
  expect(await codeOf(sup.stop())).toBe('ERR0206');
  await started(stage, project('shop', SHOP));

  const lines: string[] = [];
  for await (const { text } of sup.logs$({ services: ['web'] }, { lines: 0 })) {
    lines.push(text);
    if (lines.length === 10) break;
  }
  const numbers = lines.map((text) => Number(text.replace('line ', '')));
  expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));

  const bot = connect({ dataDir: stage.data, origin: 'bot\n1' });
  const stopped = expectSchema(await bot.stop({ services: ['db'] }));
  expect(stopped.services.map(({ service, what }) => `${service} ${what}`)).toContain('shop/db stopped');
  expect(await codeOf(sup.start({ services: ['nothing'] }))).toBe('ERR0202');
  expect(await codeOf(sup.start({}, { timeoutMs: 1 }))).toBe('ERR0111');
  await firstThat(sup.status$, (status) => stateIn(status, 'shop/web') === 'running');
  expect(expectSchema(await sup.plan()).changes).toEqual([]);
  // An event is stored up to 50 ms after its command has answered.
  await eventually({
    what: 'the stored event of the stop',
    look: async () => {
      const stops = await sup.events({ services: ['db'] }, { kinds: ['state'], since: '1h' });
      return stops.find(({ to }) => to === 'stopped');
    },
  });
  await bot.apply({ services: ['db'] });
  expect(await codeOf(bot.start({ services: ['nothing'] }))).toBe('ERR0202');
  await bot.called('status', 2);
  const told = await eventually({
    what: 'the stored event of the call',
    look: async () => {
      const own = (await sup.events()).filter(({ origin }) => origin === 'bot 1').map(expectSchema);
      return own.some(({ cause }) => cause === 'called') ? own : undefined;
    },
  });
  expect(told.map(({ kind, cause, service, reason }) => [kind, cause, service, reason])).toEqual([
    ['command', 'requested', null, 'stop db'],
    ['state', 'release', 'db', 'stop requested by bot 1'],
    ['command', 'requested', null, 'apply db'],
    ['command', 'requested', null, 'start nothing'],
    ['command', 'failed', null, expect.stringContaining('start nothing: ')],
    ['command', 'called', null, 'status, 2 times'],
  ]);
  await sup.shutdown();
  const over = await firstThat(sup.status$, ({ supervisor }) => !supervisor.running);
  expect(stateIn(over, 'shop/db')).toBe('stopped');
});

const SECRET = 'a password of the shop';
const BROKEN = {
  db: shell('echo "no disk" >&2; exit 3', { max_restarts: 0, ...UNREADY }),
  web: steady({ depends_on: ['db'], env: { vars: { PASSWORD: SECRET } } }),
  listener: shell('exec node -e "net.createServer().listen(0)"'),
};

/** What a program learns of a stack whose database fails; the same with and without a supervisor. */
const learned = async (sup: Sup, manifest: string): Promise<readonly unknown[]> => {
  const why = expectSchema(await sup.why({ services: ['web'] }));
  const [web] = why.services;
  const trouble = expectSchema(await sup.why());
  const config = expectSchema(await sup.config({ manifest, origins: true }));
  expect(JSON.stringify(config)).not.toContain(SECRET);
  expect(config).toMatchObject({ manifest, origins: { 'projects.shop.services.web.depends_on[0]': /:/ } });
  expect(await codeOf(sup.why({ services: ['nothing'] }))).toBe('ERR0202');
  expect(await codeOf(sup.config({ manifest, project: 'nothing' }))).toBe('ERR0201');
  return [
    web?.chain.map(({ service, state }) => [service, state]),
    web?.roots.map(({ service, printed }) => [service, printed]),
    trouble.services.map(({ service }) => service).sort(),
  ];
};

scenario(
  'a program asks why, inspects and reads the configuration, also without a supervisor',
  async (stage) => {
    const manifest = stage.declare(project('shop', BROKEN));
    await stage.sup('start', '-d');
    const sup = connect({ dataDir: stage.data });
    const listener$ = sup.service$('listener');
    await firstThat(listener$, (service) => service?.state === 'running');
    await firstThat(sup.service$('web'), (service) => service?.because_of.includes('db') === true);
    const before = await learned(sup, manifest);
    expect(before).toEqual([
      [
        ['shop/web', 'waiting'],
        ['shop/db', 'breaker-open'],
      ],
      [['shop/db', ['no disk']]],
      ['db'],
    ]);
    const services = await eventually({
      what: 'the port of listener',
      look: async () => {
        const told = expectSchema(await sup.inspect({ services: ['listener'] }, { windowMs: 60_000 }));
        return (told.services[0]?.listening ?? []).length > 0 ? told.services : undefined;
      },
    });
    expect(services[0]?.listening?.map(({ protocol }) => protocol)).toEqual(['tcp']);
    expect(services[0]?.samples?.since).toBeDefined();
    expect(services[0]?.cpu_percent).not.toBeNull();

    await killSupervisor(stage);
    const unsupervised = { services: [{ name: 'listener' }], supervisor: { running: false } };
    expect(await sup.inspect({ services: ['listener'] })).toMatchObject(unsupervised);
    expect(await learned(sup, manifest)).toEqual(before);
  },
);

const LIVELY = {
  web: shell('trap "echo again" HUP; echo up; while :; do sleep 0.05; done', {
    reload: { signal: 'HUP' },
    env: { vars: { COLOR: 'green' } },
  }),
  job: steady(),
};

scenario('a program waits, signals, reloads, runs commands of a service and validates', async (stage) => {
  const manifest = stage.declare(project('shop', LIVELY));
  const sup = connect({ dataDir: stage.data, program: resolve('dist/sup.js') });
  const stopped = await sup.wait({}, { for: 'stopped' });
  expect(stopped).toMatchObject({ reached: true, services: [] });
  await started(stage, project('shop', LIVELY));

  const web = { services: ['web'] };
  expect(expectSchema(await sup.wait(web))).toMatchObject({ reached: true, timed_out: false });
  const late = await sup.wait(web, { for: 'stopped', timeoutMs: 100 });
  expect(late).toMatchObject({ reached: false, timed_out: true });
  const never = await sup.wait(web, { for: 'healthy' });
  expect(never.services.map(({ verdict }) => verdict)).toEqual(['never']);

  await firstThat(sup.logs$(web), ({ text }) => text === 'up');
  expect(expectSchema(await sup.reload(web)).services[0]?.what).toBe('reloaded');
  await firstThat(sup.logs$(web), ({ text }) => text === 'again');
  expect((await sup.kill(web, { signal: 'HUP' })).services[0]?.what).toBe('signalled');
  const ran = await sup.exec('web', ['sh', '-c', 'echo $COLOR; echo -n oh >&2; exit 7']);
  expect(ran).toEqual({ status: 7, stdout: 'green\n', stderr: 'oh' });
  expect(await codeOf(sup.exec('nothing', ['true']))).toBe('ERR0202');
  expect(await codeOf(sup.exec('web', ['sleep', '100'], { timeoutMs: 500 }))).toBe('ERR0111');
  await sup.stop({ services: ['job'] });
  expect(await codeOf(sup.kill({ services: ['job'] }))).toBe('ERR0119');

  expect(expectSchema(await sup.validate({ manifest }))).toMatchObject({ valid: true, problems: [] });
  const wrong = stage.declare(project('shop', { web: { comand: 'true' } }), 'wrong.yaml');
  expect((await sup.validate({ manifest: wrong })).problems[0]).toMatchObject({ file: wrong });

  const waiting = sup.wait(web, { for: 'stopped' });
  await sup.shutdown();
  expect(await waiting).toMatchObject({ reached: true });
});
