// The watch over pages: one that does what no page may do is noticed.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { violationsIn } from './support/axe.ts';
import { theBrowser } from './support/browser.ts';
import { watched } from './support/watched.ts';

const POLICY =
  "default-src 'self'; img-src http:; connect-src *; script-src 'unsafe-inline'; require-trusted-types-for 'script'";

const PAGE = `<!doctype html><title>bad</title><img src="http://elsewhere.test/x.png"><script>
  console.error('said');
  alert('hello');
  new WebSocket('ws://127.0.0.1:9/').onerror = () => undefined;
  try { document.body.innerHTML = '<b>made</b>' } catch {}
  setTimeout(() => { throw new Error('thrown') });
</script>`;

const listening = (server: Server): Promise<string> =>
  new Promise((settle) => {
    server.listen(0, '127.0.0.1', () => {
      // The address of a TCP server is an object with a port.
      settle(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });

it('a request to elsewhere, a dialog, an error and a violated policy of a page are noticed', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY }).end(PAGE);
  });
  const origin = await listening(server);
  const page = await (await theBrowser()).newPage();
  const { complaints } = await watched(page, origin);
  await page.goto(`${origin}/`);
  const EXPECTED = [
    'a request: http://elsewhere.test/x.png',
    'a connection: ws://127.0.0.1:9/',
    'a dialog: hello',
    'console: said',
    'console: policy violated: require-trusted-types-for',
    'uncaught: Error: thrown',
  ];
  await expect
    .poll(() => EXPECTED.filter((text) => !complaints().some((complaint) => complaint.startsWith(text))), {
      timeout: 60_000,
    })
    .toEqual([]);
  await page.context().close();
  server.close();
});

it('a text without contrast and a button without a name are found in a page', async () => {
  const page = await (await theBrowser()).newPage();
  await page.setContent(
    '<!doctype html><html lang="en"><title>bad</title><main><h1 style="color:#eee">faint</h1><button></button></main>',
  );
  expect((await violationsIn(page)).map((text) => text.split(':')[0]).toSorted()).toEqual([
    'button-name',
    'color-contrast',
  ]);
  await page.context().close();
});
