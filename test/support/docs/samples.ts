// What the README shows of `sup` at work: the commands are typed here, what they print is made by the program's own
// views and pages.
import { inspectLines } from '../../../src/cli/render/page/inspect-page.ts';
import { paintOf } from '../../../src/streams/views/words/paint.ts';
import { statusLines } from '../../../src/cli/render/status-table.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { servicesOf } from '../../../src/streams/kernel/service-table.ts';
import { inspectDocument } from '../../../src/streams/views/inspect-document.ts';

import { statusDocument } from '../../../src/streams/views/status-document.ts';
import { lookUpIn, type Snapshot } from '../../../src/streams/views/state-snapshot.ts';
import type { SupervisorDocument } from '../../../src/streams/wire/documents/documents.ts';
import { BEGAN, openShop, type Shop } from './shop.ts';

const plain = paintOf(false);
const ELSEWHERE = '…';
const HOME = '/home/me/sup';

const supervisor: SupervisorDocument = {
  running: true,
  pid: 26_275,
  version: '0.1.0',
  since: new Date(BEGAN).toISOString(),
  restarts: 0,
  process_start: 'posix_spawn',
  warnings: [],
};

const servicesIn = (shop: Shop): readonly Service[] => servicesOf(shop.state().serviceTable);

/** What they might use: nothing is sampled in virtual time. */
const usageIn =
  (shop: Shop): NonNullable<Snapshot['usage']> =>
  (id) => {
    const service = servicesIn(shop).find(({ spec }) => spec.id === id);
    if (service === undefined || !('process' in service.actual)) return undefined;
    return { cpuPercent: id.length / 10, rssBytes: id.length * 4_300_000 };
  };

const statusPage = (shop: Shop): readonly string[] =>
  statusLines(
    statusDocument({
      services: servicesIn(shop),
      projects: Object.values(shop.state().projects),
      supervisor,
      now: instant(shop.now()),
      usage: usageIn(shop),
    }),
    {
      ...{ paint: plain, columns: undefined, now: shop.now() },
      ...{ dataDir: `${HOME}/data`, besidePrivileged: false, onlyFailing: false },
    },
  );

const inspectPage = (shop: Shop, name: string): readonly string[] =>
  inspectLines(
    inspectDocument({
      services: [shop.service(name)],
      byId: lookUpIn(servicesIn(shop)),
      supervisor,
      settings: DEFAULT_SETTINGS,
      dataDir: `${HOME}/data`,
      now: instant(shop.now()),
      usage: usageIn(shop),
    }),
    { paint: plain, now: shop.now(), columns: undefined },
  );

const shell = (command: string, lines: readonly string[]): string =>
  ['```', `$ ${command}`, ...lines.map((line) => line.trimEnd()), '```']
    .join('\n')
    .replaceAll(process.cwd(), HOME);

/** `sup status` of a shop that runs. */
export const runningSample = (): string => {
  const shop = openShop();
  shop.pass(21_600);
  return shell('./dist/sup.js status', statusPage(shop));
};

/** The API is dead, and the worker fell with it. */
export const fallenSample = (): string => {
  const shop = openShop();
  shop.pass(21_600);
  shop.killApi();
  shop.pass(380);
  const rows = statusPage(shop).filter((line) => /^(SERVICE|api|worker) /.test(line));
  return shell('kill -9 26320; ./dist/sup.js status -p shop', [ELSEWHERE, ...rows]);
};

/** The worker's own account of it, once it is up again. */
export const accountSample = (): string => {
  const shop = openShop();
  shop.pass(21_600);
  shop.killApi();
  shop.pass(1_000);
  shop.healApi();
  const [title = '', ...facts] = inspectPage(shop, 'worker');
  const history = facts.indexOf('  history');
  const process = facts.filter((line) => line.startsWith('  process'));
  const fall = facts.findIndex((line, at) => at > history && line.includes('running → '));
  const account = facts.slice(fall);
  return shell('./dist/sup.js inspect -s shop/worker', [
    title,
    ...process,
    `  ${ELSEWHERE}`,
    '  history',
    `    ${ELSEWHERE}`,
    ...account,
  ]);
};
