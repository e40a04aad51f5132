// Needs the native addon.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeldSockets, SocketNotOpened } from '../../../src/sinks/process/held-sockets.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { freePort } from '../../scenarios/support/free-port.ts';
import { idOf, specOf } from '../../support/spec.ts';

/** Answers on descriptor 3, and asks itself all the time: connections are opened and closed by the thousand. */
const busy = (port: number): string => `
const net = require('node:net');
net.createServer((connection) => connection.destroy()).listen({ fd: 3 }, () => console.log('ready'));
const ask = () => net.connect(${port}, '127.0.0.1').on('error', () => undefined).on('close', ask);
for (let each = 0; each < 20; each += 1) ask();`;

const listening = (port: number, host = '127.0.0.1'): ServiceSpec => ({
  ...specOf('web'),
  sockets: [{ name: 'http', listen: { tag: 'tcp', host, port }, backlog: 128 }],
});

describe('held sockets', () => {
  it('held sockets are taken back from a server that is serving', async () => {
    const troubles: string[] = [];
    const port = await freePort();
    const spec = listening(port);
    const first = new HeldSockets((text) => troubles.push(text));
    const [descriptor = -1] = first.take(spec);
    const child = spawn(process.execPath, ['-e', busy(port)], {
      stdio: ['ignore', 'pipe', 'inherit', descriptor],
    });
    try {
      await once(child.stdout ?? child, 'data');
      first.follow(idOf('web'), undefined);
      for (let times = 0; times < 300; times += 1) {
        const next = new HeldSockets((text) => troubles.push(text));
        next.adopt(spec, { pid: child.pid ?? 0, startTicks: 0 });
        // It has the socket: opening it again would be refused.
        expect(next.take(spec)).toHaveLength(1);
        next.follow(idOf('web'), undefined);
      }
    } finally {
      child.kill('SIGKILL');
    }
    expect(troubles).toEqual([]);
  });

  it.each([
    ['::1', '::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::1%lo', '::1'],
  ])('held sockets listen at %s', async (host, address) => {
    const port = await freePort();
    const sockets = new HeldSockets(() => undefined);
    expect(sockets.take(listening(port, host))).toHaveLength(1);
    const client = connect(port, address);
    await once(client, 'connect');
    client.destroy();
    sockets.follow(idOf('web'), undefined);
  });
});

const at = (path: string): ServiceSpec => ({
  ...specOf('web'),
  sockets: [{ name: 'http', listen: { tag: 'unix', path }, backlog: 128 }],
});

/** Ends without a word, and leaves the file of its socket behind. */
const leftBehind = async (path: string): Promise<void> => {
  const program = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await once(spawn(process.execPath, ['-e', program]), 'exit');
};

describe('held sockets at a path', () => {
  let directory = '';
  let path = '';
  const held = (): HeldSockets => new HeldSockets(() => undefined);

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sup-held-'));
    path = join(directory, 'k.sock');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('held sockets at a path leave no file when they are closed, and are opened again', () => {
    const sockets = held();
    for (let times = 0; times < 2; times += 1) {
      expect(sockets.take(at(path))).toHaveLength(1);
      expect(existsSync(path)).toBe(true);
      sockets.follow(idOf('web'), undefined);
      expect(existsSync(path)).toBe(false);
    }
  });

  it('instances share a held socket until the last one is at rest, also after an upgrade', () => {
    const instance = (name: string): ServiceSpec => ({ ...at(path), id: idOf(name), name });
    const sockets = held();
    const [first] = sockets.take(instance('web@1'));
    expect(sockets.take(instance('web@2'))).toEqual([first]);
    const next = held();
    next.inherit(sockets.handed());
    next.follow(idOf('web@1'), undefined);
    expect(existsSync(path)).toBe(true);
    expect(next.lacks(instance('web@1'))).toBe(false);
    next.follow(idOf('web@2'), undefined);
    expect(existsSync(path)).toBe(false);
  });

  it('a held socket at a path replaces a socket without a listener', async () => {
    await leftBehind(path);
    expect(existsSync(path)).toBe(true);
    const sockets = held();
    expect(sockets.take(at(path))).toHaveLength(1);
    sockets.follow(idOf('web'), undefined);
  });

  it('a held socket at a path leaves a socket with a listener alone', async () => {
    const server = createServer().listen(path);
    await once(server, 'listening');
    expect(() => held().take(at(path))).toThrow(SocketNotOpened);
    expect(() => held().take(at(path))).toThrow('EADDRINUSE');
    expect(existsSync(path)).toBe(true);
    server.close();
  });

  it('a held socket at a path leaves a file that is no socket alone', () => {
    writeFileSync(path, 'precious');
    expect(() => held().take(at(path))).toThrow('EADDRINUSE');
    expect(existsSync(path)).toBe(true);
  });

  it('the file of a held socket stays while another service has the same socket', async () => {
    const first = held();
    const [descriptor = -1] = first.take(at(path));
    const child = spawn('sleep', ['1000'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] });
    await once(child, 'spawn');
    first.follow(idOf('web'), undefined);
    expect(existsSync(path)).toBe(true);
    expect(() => held().take(at(path))).toThrow('EADDRINUSE');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const next = held();
    expect(next.take(at(path))).toHaveLength(1);
    next.follow(idOf('web'), undefined);
  });
});
