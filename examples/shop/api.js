// The shop's HTTP API. GET /health says whether the database can be read; orders are taken with POST /orders.
import { createServer } from 'node:http';
import { read, write } from './database.js';

const port = Number(process.env.API_PORT ?? 8431);

const update = (change) => {
  const db = read();
  const result = change(db);
  write(db);
  return result;
};

const placeOrder = () =>
  update((db) => {
    const order = { id: db.orders.length + 1, state: 'open', at: new Date().toISOString() };
    db.orders.push(order);
    return order;
  });

const nextOrder = () => read().orders.find((order) => order.state === 'open') ?? null;

const packOrder = (id) =>
  update((db) => {
    const order = db.orders.find((each) => each.id === id);
    if (order !== undefined) order.state = 'packed';
    return order ?? null;
  });

const answer = (method, path) => {
  if (path === '/health') return { ok: true, version: read().version };
  if (path === '/items') return read().items;
  if (path === '/orders' && method === 'GET') return read().orders.slice(-20);
  if (path === '/orders' && method === 'POST') return placeOrder();
  if (path === '/orders/next') return nextOrder();
  const [, id] = /^\/orders\/(\d+)\/packed$/.exec(path) ?? [];
  return id === undefined || method !== 'POST' ? undefined : packOrder(Number(id));
};

const server = createServer((request, response) => {
  const send = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
    response.end(`${JSON.stringify(body)}\n`);
  };
  try {
    const body = answer(request.method, new URL(request.url, 'http://shop').pathname);
    if (body === undefined) send(404, { error: 'no such thing' });
    else send(200, body);
  } catch (error) {
    console.error(error.message);
    send(500, { error: error.message });
  }
});

server.on('error', (error) => {
  console.error(`${error.message} (another port: SHOP_API_PORT)`);
  process.exit(1);
});

server.listen(port, '127.0.0.1', () => console.log(`the API listens at http://127.0.0.1:${port}`));

process.on('SIGTERM', () => {
  console.log('closing');
  server.close();
  server.closeAllConnections();
});
