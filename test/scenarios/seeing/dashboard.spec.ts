// The dashboard beside a real supervisor, through the messages of its page: a crash and what follows, actions and
// their origin, a killed supervisor and an upgrade.
import { expect } from 'vitest';
import type {
  Action,
  DashboardAnswer,
  FromServer,
  PageNews,
  Question,
} from '../../../src/dashboard/page-messages.ts';
import { openPage, type TestPage } from '../../dashboard/raw-request.ts';
import { eventually, holds } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { killSupervisor } from '../support/own-death.ts';
import { project, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, started } from '../support/witnesses.ts';

const SHOP = {
  db: steady({ backoff: '100ms' }),
  web: shell('while :; do echo tick; sleep 0.05; done', { depends_on: ['db'], backoff: '100ms' }),
};

/** Starts the dashboard, and resolves to its page. */
const opened = async (stage: Stage, ...options: readonly string[]): Promise<TestPage> => {
  const running = stage.begin(['dashboard', '--port', '0', '--json', ...options]);
  const line = await eventually({
    what: 'the URL of the page',
    look: () => (running.stdout().includes('\n') ? running.stdout() : undefined),
  });
  return openPage(JSON.parse(line) as { readonly url: string });
};

/** The rows of a page, put together from the view and its changes. */
const stateOf = ({ received }: TestPage, id: string): string | undefined =>
  received
    .flatMap((message) => ('news' in message && 'rows' in message ? (message.rows ?? []) : []))
    .findLast((row) => row.id === id)?.state;

const originOf = ({ received }: TestPage): string | undefined =>
  received.flatMap((message) => ('news' in message && 'origin' in message ? [message.origin] : [])).at(-1);

const answerTo = async (page: TestPage, question: Question): Promise<DashboardAnswer> => {
  page.send(question);
  return page.until(
    (message): message is { readonly id: number } & DashboardAnswer =>
      'to' in message && message.id === question.id,
  );
};

const isView = (message: FromServer): message is Extract<PageNews, { readonly news: 'view' }> =>
  'news' in message && message.news === 'view';

const act = async (page: TestPage, id: number, action: Action): Promise<string | undefined> => {
  const answer = await answerTo(page, { id, ask: 'act', action });
  if (answer.to === 'failed') return answer.error.code;
  return answer.to === 'act' ? answer.done.services[0]?.what : answer.to;
};

const hasEvent =
  ({ received }: TestPage, name: string, state: string) =>
  (): boolean =>
    received
      .flatMap((message) => ('news' in message && 'events' in message ? (message.events ?? []) : []))
      .some(({ service, to }) => service === name && to === state);

scenario('a page of the dashboard sees a crash and what follows, and gets answers', async (stage) => {
  await started(stage, project('shop', SHOP));
  const page = await opened(stage);
  const { rows, origin } = await page.until(isView);
  expect([origin, rows.map(({ id }) => id).toSorted()]).toEqual(['connected', ['shop/db', 'shop/web']]);

  process.kill(rows.find(({ id }) => id === 'shop/db')?.pid ?? 0, 'SIGKILL');
  await holds('an event of the crash', hasEvent(page, 'db', 'backoff'));
  await holds('db is healed', () => stateOf(page, 'shop/db') === 'running');

  const account = await answerTo(page, { id: 1, ask: 'service', service: 'shop/web', window: '10m' });
  expect(account).toMatchObject({ to: 'service', account: { why: { service: 'web' } } });
  expect(account.to === 'service' && account.account.config).toContain('tick');
  await holds('three lines', () => serviceLog(stage, 'shop/web').length > 2);
  const logs = await answerTo(page, { id: 2, ask: 'logs', services: ['shop/web'], lines: 3, follow: false });
  expect(logs.to === 'logs' && logs.lines.map(({ text }) => text)).toEqual(['tick', 'tick', 'tick']);
  const lanes = await answerTo(page, { id: 3, ask: 'timeline', since: 0, services: ['shop/db'] });
  expect(lanes.to === 'timeline' && lanes.lanes[0]?.spans.map(({ state }) => state)).toContain('backoff');
  page.socket.close();
});

scenario('a page of the dashboard acts, and outlives a killed supervisor and an upgrade', async (stage) => {
  await started(stage, project('shop', SHOP));
  const page = await opened(stage, '--allow-actions');
  await page.until(isView);
  expect(await act(page, 1, { what: 'stop', services: ['shop/web'] })).toBe('stopped');
  await holds('the stored event of the stop', async () =>
    (await stage.sup('events', '--json')).stdout.includes('"origin":"dashboard"'),
  );

  const plan = await answerTo(page, { id: 2, ask: 'plan' });
  stage.declare(project('shop', { ...SHOP, new: steady() }));
  const shown = plan.to === 'plan' ? plan.planned.hash : '';
  expect(await act(page, 3, { what: 'apply', plan: shown })).toBe('ERR0238');

  await killSupervisor(stage);
  await holds('the page knows of the loss', () => originOf(page) === 'reconnecting');
  expectDone(await stage.sup('start', '-d'));
  await holds('the page is connected again', () => originOf(page) === 'connected');
  expectDone(await stage.sup('upgrade'));
  expect(await act(page, 4, { what: 'restart', services: ['shop/new'] })).toBe('restarted');
  await holds('the page shows the new service', () => stateOf(page, 'shop/new') === 'running');
  page.socket.close();
});
