// A client of the API: places an order now and then, and packs the open ones.
import { setTimeout as pause } from 'node:timers/promises';

const base = `http://127.0.0.1:${process.env.API_PORT ?? 8431}`;

const call = async (method, path) => {
  const response = await fetch(`${base}${path}`, { method, signal: AbortSignal.timeout(2000) });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
  return response.json();
};

console.log('waiting for orders');
for (let round = 0; ; round++) {
  if (round % 5 === 0) await call('POST', '/orders');
  for (let order = await call('GET', '/orders/next'); order; order = await call('GET', '/orders/next')) {
    await pause(200);
    await call('POST', `/orders/${order.id}/packed`);
    console.log(`packed order ${order.id}`);
  }
  await pause(1000);
}
