// An HTTP API. Every question is a file in the store, for the worker.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { PORT: port, STORE: store } = process.env;
let asked = 0;

const server = createServer((request, response) => {
  const isHealth = request.url === '/health';
  if (!isHealth) writeFileSync(`${store}/question-${process.pid}-${(asked += 1)}`, `${request.url}\n`);
  response.setHeader('content-type', 'application/json');
  response.end(`${JSON.stringify(isHealth ? { ok: true } : { asked })}\n`);
});

server.listen(Number(port), '0.0.0.0', () => console.log(`listening at port ${port}`));

process.on('SIGTERM', () => {
  console.log('closing');
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
