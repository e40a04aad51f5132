// Needs the native addon.
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openLibc, Refused } from '../../../src/os/libc/libc.ts';
import { credentialsOf } from '../../../src/os/sockets/peer.ts';

const opened = openLibc();
const descriptorOf = (socket: Socket): number => {
  const handle: unknown = Reflect.get(socket, '_handle');
  return Number(Reflect.get(Object(handle) as object, 'fd'));
};

describe('the peer of a connection', () => {
  it('the kernel names the pid and the user of a peer', async () => {
    if (opened.tag === 'absent') throw new Error(opened.detail);
    const server = createServer();
    const path = `\0sup-peer-${process.pid}`;
    server.listen(path);
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect(path);
    const [socket] = await accepted;
    expect(credentialsOf(opened.libc, descriptorOf(socket))).toEqual({
      pid: process.pid,
      uid: process.getuid?.(),
    });
    client.destroy();
    socket.destroy();
    server.close();
  });

  it('a descriptor that is no socket has no peer', () => {
    if (opened.tag === 'absent') throw new Error(opened.detail);
    const file = openSync('/dev/null', 'r');
    const { libc } = opened;
    expect(() => credentialsOf(libc, file)).toThrow(Refused);
    closeSync(file);
  });
});
