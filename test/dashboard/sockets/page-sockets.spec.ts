// How many pages may be connected, and when a page counts as gone.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Dashboard, serveDashboard } from '../../../src/dashboard/serve-dashboard.ts';
import { fakeSup } from '../fake-sup.ts';
import { cookieFor, originOf, upgrade } from '../raw-request.ts';

const MOST_PAGES = 64;
const PING_MS = 20_000;

let directory: string;
let dashboard: Dashboard;
let cookie: string;

const serve = async (): Promise<void> => {
  dashboard = await serveDashboard(fakeSup().sup, {
    place: { address: '127.0.0.1', port: 0, isFixed: true },
    ...{ files: directory, actions: false, host: 'box', version: '1.0.0' },
  });
  cookie = await cookieFor(dashboard);
};

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sup-dashboard-'));
  for (const file of ['index.html', 'page.js']) writeFileSync(join(directory, file), '');
  await serve();
});
afterEach(async () => {
  vi.useRealTimers();
  await dashboard.close();
  rmSync(directory, { recursive: true });
});

const connected = async (options: { readonly autoPong: boolean }): Promise<WebSocket> => {
  const origin = originOf(dashboard);
  const address = `${origin.replace('http', 'ws')}/socket`;
  const socket = new WebSocket(address, { origin, headers: { cookie }, ...options });
  await once(socket, 'open');
  return socket;
};

describe('connected pages', () => {
  it('one page more than 64 is refused with 503, and accepted after another has left', async () => {
    const pages: WebSocket[] = [];
    while (pages.length < MOST_PAGES) pages.push(await connected({ autoPong: true }));
    expect(await upgrade(dashboard, { cookie })).toBe(503);
    pages[0]?.close();
    await vi.waitUntil(async () => (await upgrade(dashboard, { cookie })) === 101, { timeout: 10_000 });
  });

  it('a page that answers no ping until the next one is gone, and one that answers stays', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const [silent, alive] = [await connected({ autoPong: false }), await connected({ autoPong: true })];
    const closed = once(silent, 'close');
    for (let pings = 0; pings < 3; pings += 1) {
      const pinged = once(alive, 'ping');
      vi.advanceTimersByTime(PING_MS);
      await pinged;
      // The server has read the answer to its ping when it answers this one.
      alive.ping();
      await once(alive, 'pong');
    }
    expect((await closed)[0]).toBe(1006);
    expect(alive.readyState).toBe(WebSocket.OPEN);
  });
});
