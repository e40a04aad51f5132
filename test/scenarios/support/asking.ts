// A server with a held socket, and a client that sends requests without a pause: was one refused?

/** Tells its pid. It takes its socket only as the protocol says, and finishes what it has begun. */
export const HELD_SERVER = `
import { createServer } from 'node:http';
import { Server as Listener } from 'node:net';
if (process.env.LISTEN_PID !== String(process.pid) || process.env.LISTEN_FDNAMES !== 'http') process.exit(7);
const server = createServer((_, response) => response.setHeader('connection', 'close').end(String(process.pid)));
server.listen({ fd: 3 });
// The close of an HTTP server would also cut a connection whose request is still on its way.
process.on('SIGTERM', () => Listener.prototype.close.call(server, () => process.exit(0)));
`;

/** Asks until it is told to stop; how many were answered, and how many were not. */
export const asking = (port: number): (() => Promise<{ answered: number; refused: number }>) => {
  let over = false;
  const counts = { answered: 0, refused: 0 };
  const ask = async (): Promise<void> => {
    while (!over)
      try {
        await (await fetch(`http://127.0.0.1:${port}/`)).text();
        counts.answered += 1;
      } catch {
        counts.refused += 1;
      }
  };
  const done = Promise.all([ask(), ask()]);
  return async () => {
    over = true;
    await done;
    return counts;
  };
};
