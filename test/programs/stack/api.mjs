// Takes orders at the socket that the supervisor holds, and puts each into the queue.
import { createServer } from 'node:http';
import { createConnection } from 'node:net';
import { env, pid } from 'node:process';

const queue = createConnection(`${env.PGHOST}/redis`);
const server = createServer((request, response) => {
  if (request.url === '/health') return response.end('well\n');
  queue.write(`RPUSH orders ${request.url.slice(1)}\r\n`);
  return response.end(`release ${env.RELEASE}, pid ${pid}\n`);
});
server.listen({ fd: 3 });
process.on('SIGTERM', () => server.close(() => process.exit(0)));
