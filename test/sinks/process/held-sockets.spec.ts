import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { HeldSockets } from '../../../src/sinks/process/held-sockets.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { freePort } from '../../scenarios/support/free-port.ts';
import { idOf, specOf } from '../../support/spec.ts';

/** Answers on descriptor 3, and asks itself all the time: connections are opened and closed by the thousand. */
const busy = (port: number): string => `
const net = require('node:net');
net.createServer((connection) => connection.destroy()).listen({ fd: 3 }, () => console.log('ready'));
const ask = () => net.connect(${port}, '127.0.0.1').on('error', () => undefined).on('close', ask);
for (let each = 0; each < 20; each += 1) ask();`;

const listening = (port: number): ServiceSpec => ({
  ...specOf('web'),
  sockets: [{ name: 'http', listen: { tag: 'tcp', host: '127.0.0.1', port }, backlog: 128 }],
});

describe('held sockets', () => {
  it('are taken back from a server in the middle of its work', async () => {
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
        // It has it: opening it anew would be refused.
        expect(next.take(spec)).toHaveLength(1);
        next.follow(idOf('web'), undefined);
      }
    } finally {
      child.kill('SIGKILL');
    }
    expect(troubles).toEqual([]);
  });
});
