// Tells its release and its pid. Listens at PORT, or at the socket that it was given. Told to stop it takes no new
// connections, finishes what it has begun, and closes kept connections with the next answer, so that nothing is cut off.
import { createServer } from 'node:http';
import { Server as Listener } from 'node:net';

const release = process.env.RELEASE ?? '0';
if (release === 'broken') {
  console.error('no license');
  process.exit(3);
}

let leaving = false;
const server = createServer((request, response) => {
  if (leaving) response.setHeader('connection', 'close');
  response.end(`release ${release}, pid ${process.pid}\n`);
});
const given = process.env.LISTEN_PID === String(process.pid);
server.listen(given ? { fd: 3 } : { port: Number(process.env.PORT), host: '127.0.0.1', backlog: 4096 });

process.on('SIGTERM', () => {
  leaving = true;
  // Not the close of an HTTP server: that would cut connections on which a request may just be on its way.
  Listener.prototype.close.call(server, () => process.exit(0));
  // Whoever is quiet for a second has nothing on the way. On a busy machine the second may have been spent waiting for
  // the processor: what came meanwhile is read first, and that happens between a timer and an immediate.
  setTimeout(() => setImmediate(() => server.closeIdleConnections()), 1_000);
});
