// Which pages get in: only the one that the dashboard itself has served, with the token of this start.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { freePort } from '../scenarios/support/free-port.ts';
import { loose, steady } from '../scenarios/support/recipes.ts';
import { started } from '../scenarios/support/witnesses.ts';
import { REBOUND, theBrowser } from './support/browser.ts';
import { beginDashboard, killDashboard } from './support/dashboard.ts';
import { reads, rowOf, sentence } from './support/elements.ts';
import { inBrowser } from './support/visit.ts';

const STACK = loose({ db: steady() });

/** Serves an empty page at another port of this machine, which for cookies is the same site. */
const otherSite = async (): Promise<{ readonly origin: string; readonly server: Server }> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>other</title>');
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', () => settle()));
  // The address of a TCP server is an object with a port.
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
};

/** What the browser makes of a WebSocket that the page opens: `open` or `refused`. */
const socketFrom = (page: Page, address: string): Promise<string> =>
  page.evaluate<string, string>(
    (url) =>
      new Promise((settle) => {
        const socket = new WebSocket(url);
        socket.onopen = () => settle('open');
        socket.onerror = () => settle('refused');
      }),
    address,
  );

/** What the browser makes of a POST of the page with its cookies: the status, or `refused`. */
const postFrom = (page: Page, address: string): Promise<string> =>
  page.evaluate<string, string>(
    (url) =>
      fetch(url, { method: 'POST', body: 'x', credentials: 'include' }).then(
        ({ status }) => String(status),
        () => 'refused',
      ),
    address,
  );

/** Opens another link of the same dashboard in the page, and waits until the page has loaded itself again. */
const openLink = async (page: Page, link: string): Promise<void> => {
  const loaded = page.waitForEvent('load');
  await page.goto(link);
  await loaded;
};

/** The heading of a page that is not admitted. */
const noSession = (page: Page): Locator => page.getByRole('heading', { name: /needs a new link/ });

describe('admission to the dashboard', () => {
  inBrowser(
    'the token leaves the address bar, and its cookie admits the page again',
    async ({ stage, open }) => {
      await started(stage, STACK);
      const { page, dashboard } = await open();
      await reads(sentence(page), /^1 running$/);
      await expect.poll(() => page.url()).toBe(`${dashboard.origin}/`);
      const [cookie] = await page.context().cookies();
      expect(cookie).toMatchObject({ name: `sup_${dashboard.port}`, httpOnly: true, sameSite: 'Strict' });
      expect(await page.evaluate('document.cookie')).toBe('');
      await page.reload();
      await reads(sentence(page), /^1 running$/);
    },
  );

  inBrowser(
    'a page of another port of this machine is refused, although its cookies are sent',
    async (visit) => {
      await started(visit.stage, STACK);
      const { page, dashboard, watched } = await visit.open();
      await reads(sentence(page), /^1 running$/);
      const { origin, server } = await otherSite();
      const other = await page.context().newPage();
      await other.goto(origin);
      const socket = `${dashboard.origin.replace('http', 'ws')}/socket`;
      expect(await socketFrom(other, socket)).toBe('refused');
      expect(await postFrom(other, `${dashboard.origin}/session`)).toBe('refused');
      // The same from the page itself: what was refused above is the origin.
      expect(await socketFrom(page, socket)).toBe('open');
      watched.expect(/401/);
      expect(await postFrom(page, `${dashboard.origin}/session`)).toBe('401');
      server.close();
    },
  );

  inBrowser('a name of elsewhere that leads to this machine gets no answer', async ({ stage }) => {
    await started(stage, STACK);
    const { port, url } = await beginDashboard(stage);
    const page = await (await theBrowser()).newPage();
    const answer = await page.goto(url.replace('127.0.0.1', REBOUND));
    expect(answer?.status()).toBe(421);
    expect(await page.locator('body').innerText()).not.toContain('db');
    expect(await postFrom(page, `http://${REBOUND}:${port}/session`)).toBe('421');
    expect(await socketFrom(page, `ws://${REBOUND}:${port}/socket`)).toBe('refused');
    await page.context().close();
  });

  inBrowser('without a token, and with one of an earlier start, a page says how to get in', async (visit) => {
    await started(visit.stage, STACK);
    const port = await freePort();
    const first = await visit.open('--port', String(port));
    await rowOf(first.page, 'db').waitFor();
    await killDashboard(first.dashboard);
    first.watched.expect(/ERR_CONNECTION_(REFUSED|RESET)|401|HTTP Authentication failed/);
    const second = await beginDashboard(visit.stage, '--port', String(port));
    // It has the cookie of the first one, of the same name.
    await noSession(first.page).waitFor();
    await openLink(first.page, first.dashboard.url);
    await noSession(first.page).waitFor();
    await openLink(first.page, second.url);
    await rowOf(first.page, 'db').waitFor();

    const stranger = await visit.visit({ ...second, url: `${second.origin}/` });
    stranger.watched.expect(/401|HTTP Authentication failed/);
    await noSession(stranger.page).waitFor();
    expect(await stranger.page.locator('body').innerText()).not.toContain('db');
  });

  inBrowser('the cookie of another dashboard on this machine does not admit a page', async (visit) => {
    await started(visit.stage, STACK);
    const { page, watched } = await visit.open();
    await rowOf(page, 'db').waitFor();
    const other = await beginDashboard(visit.stage);
    watched.expect(new RegExp(`401|HTTP Authentication failed|:${other.port}/`));
    await page.goto(`${other.origin}/`);
    await noSession(page).waitFor();
  });
});
