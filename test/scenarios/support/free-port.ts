// A free port that no other test gets at the same time, and no connection that some program makes meanwhile: it is below
// those that the kernel gives out (`ip_local_port_range`), and each worker of vitest has its own ports.
import { createServer, connect } from 'node:net';

const FIRST = 20_000;
const PORTS_OF_WORKER = 1_500;
const WORKERS = 8;

const first = FIRST + (Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS) * PORTS_OF_WORKER;
let given = Math.floor(Math.random() * PORTS_OF_WORKER);

/** Whether a server can listen at the port, at every address of the machine. */
const isFree = (port: number): Promise<boolean> =>
  new Promise((settle) => {
    const server = createServer();
    server.once('error', () => settle(false));
    server.listen(port, () => server.close(() => settle(true)));
  });

export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < PORTS_OF_WORKER; tries += 1) {
    given = (given + 1) % PORTS_OF_WORKER;
    if (await isFree(first + given)) return first + given;
  }
  throw new Error(`no port from ${first} on is free`);
};

/** Whether a process accepts connections at the port. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((settle) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      settle(true);
    });
    socket.once('error', () => settle(false));
  });
