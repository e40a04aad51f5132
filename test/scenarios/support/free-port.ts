// A free port, chosen by the kernel.
import { createServer, connect } from 'node:net';

export const freePort = (): Promise<number> =>
  new Promise((settle, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => settle(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

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
