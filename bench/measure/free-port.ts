// Finds a TCP port of this machine at which no program listens.
import { createServer, type AddressInfo } from 'node:net';

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      // The address of a TCP server is an object with a port.
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
