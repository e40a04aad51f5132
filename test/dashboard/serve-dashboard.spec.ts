// The server of the dashboard, listening for real, and a supervisor that the test plays.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DashboardAnswer, FromServer, PageNews } from '../../src/dashboard/page-messages.ts';
import { type Dashboard, serveDashboard } from '../../src/dashboard/serve-dashboard.ts';
import { serviceIn } from '../support/states.ts';
import { fakeSup, type FakeSup, statusOf } from './fake-sup.ts';
import { cookieFor, get, hostOf, openPage, originOf, post, raw, upgrade } from './raw-request.ts';

const PAGE = '<!doctype html><title>sup</title>';

let directory: string;
let fake: FakeSup;
let dashboard: Dashboard;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sup-dashboard-'));
  writeFileSync(join(directory, 'index.html'), PAGE);
  writeFileSync(join(directory, 'page.js'), 'void 0;');
  writeFileSync(join(directory, 'secret.pem'), 'secret');
  fake = fakeSup();
  const place = { address: '127.0.0.1', port: 0, isFixed: true };
  dashboard = await serveDashboard(fake.sup, {
    place,
    files: directory,
    actions: false,
    host: 'box',
    version: '1.0.0',
  });
});
afterEach(async () => {
  await dashboard.close();
  rmSync(directory, { recursive: true });
});

type NewsOf<N extends PageNews['news']> = Extract<PageNews, { readonly news: N }>;

const isNews =
  <N extends PageNews['news']>(name: N) =>
  (message: FromServer): message is NewsOf<N> =>
    'news' in message && message.news === name;

type AnswerTo<T extends DashboardAnswer['to']> = Extract<FromServer, { readonly to: T }>;

const isAnswer =
  <T extends DashboardAnswer['to']>(to: T) =>
  (message: FromServer): message is AnswerTo<T> =>
    'to' in message && message.to === to;

describe('the server of the dashboard', () => {
  it('serves the files of the page, and no others', async () => {
    const { status, headers, body } = await get(dashboard, '/');
    expect([status, body]).toEqual([200, PAGE]);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect((await get(dashboard, '/page.js?v=1')).headers.get('content-type')).toContain('text/javascript');
    for (const path of [
      '/secret.pem',
      '/../package.json',
      '/%2e%2e/package.json',
      '/page.js/',
      '//',
      '*',
      '/index.html',
    ])
      expect((await get(dashboard, path)).status).toBe(404);
  });

  it('tells a page without the cookie, which a browser does not say, that its connection was refused', async () => {
    expect((await get(dashboard, '/socket')).status).toBe(401);
  });

  it('sends the headers that keep other pages and scripts out with each answer', async () => {
    for (const path of ['/', '/nothing', '/session']) {
      const { headers } = await get(dashboard, path);
      const policy = headers.get('content-security-policy') ?? '';
      for (const rule of [
        ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
        ...[
          "require-trusted-types-for 'script'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
          "form-action 'none'",
        ],
      ])
        expect(policy.split('; ')).toContain(rule);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('answers no other name than its own: DNS rebinding gets nothing', async () => {
    const port = hostOf(dashboard).split(':')[1] ?? '';
    expect((await get(dashboard, '/', `localhost:${port}`)).status).toBe(200);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `127.0.0.1:${Number(port) + 1}`,
      '127.0.0.1',
      `127.0.0.1.evil.example:${port}`,
      `[::1]:${port}`,
      '',
    ])
      expect((await get(dashboard, '/', host)).status).toBe(421);
    expect((await raw(dashboard, ['GET / HTTP/1.0'])).status).toBe(421);
  });

  it('exchanges the token for a cookie that scripts and other sites cannot use', async () => {
    const { status, headers } = await post(dashboard);
    expect(status).toBe(204);
    const port = hostOf(dashboard).split(':')[1] ?? '';
    expect(headers.get('set-cookie')).toMatch(
      new RegExp(`^sup_${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
  });

  it('refuses a wrong token, another origin, and a GET', async () => {
    expect((await post(dashboard, { token: 'x'.repeat(43) })).status).toBe(401);
    expect((await post(dashboard, { token: '' })).status).toBe(401);
    expect((await post(dashboard, { token: 'x'.repeat(5000) })).status).toBe(413);
    expect((await post(dashboard, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await post(dashboard, { origin: 'null' })).status).toBe(403);
    expect((await post(dashboard, { origin: undefined })).status).toBe(403);
    expect((await post(dashboard, { host: 'evil.example', origin: 'http://evil.example' })).status).toBe(421);
    expect((await get(dashboard, '/session')).status).toBe(405);
  });

  it('limits how often a token can be tried', async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 30; tries += 1)
      statuses.push((await post(dashboard, { token: 'guess' })).status);
    expect(statuses[0]).toBe(401);
    expect(statuses).toContain(429);
  });

  it('opens a WebSocket only for its own page with the cookie', async () => {
    const cookie = await cookieFor(dashboard);
    expect(await upgrade(dashboard, { cookie })).toBe(101);
    expect(await upgrade(dashboard, { cookie: '' })).toBe(401);
    expect(await upgrade(dashboard, { cookie: `${cookie}x` })).toBe(401);
    expect(await upgrade(dashboard, { cookie: cookie.replace(/\d+/, '1') })).toBe(401);
    expect(await upgrade(dashboard, { cookie, origin: 'http://evil.example' })).toBe(403);
    expect(await upgrade(dashboard, { cookie, origin: originOf(dashboard).replace('http', 'https') })).toBe(
      403,
    );
    expect(await upgrade(dashboard, { cookie, origin: undefined })).toBe(403);
    expect(await upgrade(dashboard, { cookie, host: 'evil.example' })).toBe(421);
    expect(await upgrade(dashboard, { cookie, path: '/' })).toBe(404);
  });

  it('sends a page the whole view, then what has changed', async () => {
    const page = await openPage(dashboard);
    const [web, db] = [serviceIn('up', { name: 'web' }), serviceIn('up', { name: 'db' })];
    fake.status$.next(statusOf([web, db]));
    const view = await page.until(isNews('view'));
    expect(page.received[0]).toMatchObject({ news: 'hello', version: '1.0.0', actions: false });
    expect(view.origin).toBe('connected');
    expect(view.rows.map(({ id }) => id)).toEqual(['shop/web', 'shop/db']);
    fake.status$.next(statusOf([web, serviceIn('backing-off', { name: 'db' })]));
    const change = await page.until(isNews('change'));
    expect(change.rows?.map(({ id, state }) => `${id} ${state}`)).toEqual(['shop/db backoff']);
  });

  it('watches the supervisor before the first page, so that this gets the view at once', async () => {
    fake.status$.next(statusOf([serviceIn('up', { name: 'web' })]));
    const page = await openPage(dashboard);
    const view = await page.until(isNews('view'));
    expect(view.rows.map(({ id }) => id)).toEqual(['shop/web']);
  });

  it('answers each malformed message with a typed error, and lives', async () => {
    const page = await openPage(dashboard);
    fake.status$.next(statusOf([]));
    for (const text of [
      '',
      '{',
      '[]',
      '7',
      '{"id":1}',
      '{"id":2,"ask":"everything"}',
      '{"id":3,"ask":"logs"}',
    ])
      page.send(text);
    page.send({ id: 9, ask: 'end', of: 1 });
    await page.until(isAnswer('end'));
    const failed = page.received.filter(isAnswer('failed'));
    expect(failed.map(({ id, error }) => `${id} ${error.code}`)).toEqual([
      ...['-1 ERR0239', '-1 ERR0239', '-1 ERR0239', '-1 ERR0239', '1 ERR0239', '2 ERR0239', '3 ERR0239'],
    ]);
  });

  it('closes the connection of a page that sends more than 64 KB', async () => {
    const page = await openPage(dashboard);
    page.send('x'.repeat(65 * 1024));
    expect(await page.closed).toBe(1009);
  });

  it('refuses every action without --allow-actions', async () => {
    const page = await openPage(dashboard);
    fake.status$.next(statusOf([]));
    page.send({ id: 1, ask: 'act', action: { what: 'stop', services: ['shop/web'] } });
    const answer = await page.until(isAnswer('failed'));
    expect(answer.error.code).toBe('ERR0237');
  });
});
