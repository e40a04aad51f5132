// A bootFacts in the example shop, as events for the real kernel: everything starts, the API is killed, the worker
// falls with it and recovers. The samples of the README are taken at these times.
import { fileURLToPath } from 'node:url';
import { loadManifest } from '../../../src/manifest/load.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import type { ExitStatus } from '../../../src/streams/domain/service/exit-status.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';
import type { ServiceNews } from '../../../src/streams/domain/event.ts';
import { kernel, type Kernel } from '../kernel.ts';
import { idOf } from '../spec.ts';

const MANIFEST = fileURLToPath(new URL('../../../examples/shop/sup.yaml', import.meta.url));
/** When the supervisor began. */
export const BEGAN = Date.parse('2026-11-21T08:37:00.000Z');

export interface Shop extends Kernel {
  /** The present moment, in milliseconds since the epoch. */
  readonly now: () => number;
  readonly killApi: () => void;
  readonly healApi: () => void;
}

type Anonymous<N> = N extends unknown ? Omit<N, 'service' | 'run'> : never;
type News = Anonymous<ServiceNews>;

/** What a service hears of its present run. */
const tell = (shop: Kernel, name: string, news: News): void =>
  shop.post({ ...news, service: idOf(name), run: runId(shop.service(name).runs) } as ServiceNews);

const processOf = (shop: Kernel, name: string): ProcessRef => {
  const { actual } = shop.service(name);
  if (!('process' in actual)) throw new Error(`${name} has no process`);
  return actual.process;
};

const spawned = (shop: Kernel, name: string, pid: number): void =>
  tell(shop, name, { type: 'spawned', process: { pid, startTicks: pid } });
const passed = (shop: Kernel, name: string): void =>
  tell(shop, name, { type: 'probed', result: { tag: 'passed' } });
const stable = (shop: Kernel, name: string): void =>
  tell(shop, name, { type: 'elapsed', timer: 'stability' });
const over = (shop: Kernel, name: string, status: ExitStatus): void => {
  tell(shop, name, { type: 'exited', status });
  tell(shop, name, { type: 'surveyed', alive: [], evidence: [] });
};

const OK: ExitStatus = { tag: 'code', code: 0 };

const begin = (shop: Kernel, pass: (length: number) => void): void => {
  const { manifest, problems } = loadManifest(MANIFEST, {
    environment: {},
    uid: process.getuid?.() ?? 0,
    sys: false,
    // Loading the addon of ffi-napi in a thread, as in mutation tests, ends Node when the thread ends.
    absence: () => undefined,
  });
  if (manifest === undefined) throw new Error(JSON.stringify(problems));
  const command = { type: 'start', selection: { manifest: MANIFEST } } as const;
  shop.load(shop.ask(command), manifest, problems);
  ['migrate', 'recommender'].forEach((name, index) => spawned(shop, name, 26_286 + index));
  pass(140);
  over(shop, 'migrate', OK);
  spawned(shop, 'api', 26_320);
  pass(60);
  passed(shop, 'api');
  stable(shop, 'recommender');
  ['worker', 'site'].forEach((name, index) => spawned(shop, name, 26_331 + index));
  pass(90);
  passed(shop, 'worker');
  passed(shop, 'site');
};

/** The shop, up and running. */
export const openShop = (): Shop => {
  const shop = kernel();
  let now = 0;
  const pass = (length: number): void => {
    now += length;
    shop.pass(length);
  };
  pass(BEGAN + 400);
  begin(shop, pass);
  return {
    ...shop,
    pass,
    now: () => now,
    killApi: () => {
      tell(shop, 'api', { type: 'exited', status: { tag: 'signal', signal: 'SIGKILL' } });
      tell(shop, 'api', { type: 'surveyed', alive: [], evidence: [] });
      pass(4);
      tell(shop, 'worker', { type: 'surveyed', alive: [processOf(shop, 'worker')], evidence: [] });
      pass(5);
      over(shop, 'worker', { tag: 'signal', signal: 'SIGTERM' });
    },
    healApi: () => {
      tell(shop, 'api', { type: 'elapsed', timer: 'backoff' });
      pass(2);
      spawned(shop, 'api', 27_660);
      pass(110);
      passed(shop, 'api');
      pass(2);
      spawned(shop, 'worker', 27_687);
      pass(90);
      passed(shop, 'worker');
    },
  };
};
