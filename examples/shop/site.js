// A static file server for ./public. It also serves the address of the API to the page.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const port = Number(process.env.SITE_PORT ?? 8432);
const api = `http://127.0.0.1:${process.env.API_PORT ?? 8431}`;
const root = join(import.meta.dirname, 'public');
const TYPES = { '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript' };

const serve = async (path, response) => {
  if (path === '/config.js') {
    response.writeHead(200, { 'content-type': TYPES['.js'] });
    return response.end(`globalThis.API = ${JSON.stringify(api)};\n`);
  }
  // `normalize` of an absolute path leaves no `..` in it.
  const file = join(root, normalize(`/${path === '/' ? 'index.html' : path}`));
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || !found.isFile()) {
    response.writeHead(404);
    return response.end('not found\n');
  }
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
};

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://site').pathname);
  serve(path, response).catch((error) => {
    console.error(error.message);
    response.destroy();
  });
});

server.on('error', (error) => {
  console.error(`${error.message} (another port: SHOP_SITE_PORT)`);
  process.exit(1);
});

server.listen(port, '127.0.0.1', () => console.log(`the site is at http://127.0.0.1:${port}`));

process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
