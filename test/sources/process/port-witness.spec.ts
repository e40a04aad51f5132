import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processScanner } from '../../../src/sources/process/scan-members.ts';
import { portWitness } from '../../../src/sources/process/port-witness.ts';
import type { PortOwner } from '../../../src/streams/domain/service/port.ts';
import type { ProcessScanner } from '../../../src/streams/domain/ports.ts';
import { pidIn, refOf, RUN, sh, specOf, until, world, type World } from '../../fixtures/processes/world.ts';

const web = specOf(sh('')).id;
let here: World;
let children: number[];
let servers: Server[];
beforeEach(() => {
  here = world();
  children = [];
  servers = [];
});
afterEach(() => {
  for (const pid of children) process.kill(-pid, 'SIGKILL');
  for (const server of servers) server.close();
  here.remove();
});

const LISTEN =
  'const s = require("net").createServer().listen(0, "127.0.0.1", () => require("fs").writeFileSync(process.env.DIR + "/port", s.address().port + "\\n"))';

/** A process in a session of its own, as a leader of a run is. */
const leader = async (command: string, env: Record<string, string> = {}): Promise<PortOwner> => {
  const { pid = 0 } = spawn('/bin/sh', ['-c', command], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] ?? '', DIR: here.dataDir, CODE: LISTEN, ...env },
  });
  children.push(pid);
  return { service: web, run: RUN, process: await until(() => refOf(pid)) };
};
const idle = (): Promise<PortOwner> => leader('exec sleep 60');
const portOf = (): Promise<number> => pidIn(join(here.dataDir, 'port'));
const listening = async (): Promise<number> => {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};
const witness = (scanner: ProcessScanner = processScanner({ dataDir: here.dataDir })) =>
  portWitness({ dataDir: here.dataDir, scanner });

describe('which process listens on a port', () => {
  it('a port of the leader has no stranger', async () => {
    const owner = await leader('exec node -e "$CODE"');
    expect(await witness().strangerAt({ port: await portOf(), address: '127.0.0.1' }, owner)).toBeUndefined();
  });

  it('a port of a descendant has no stranger, and is looked up once', async () => {
    const owner = await leader('node -e "$CODE"; true');
    const scanner = processScanner({ dataDir: here.dataDir });
    let asked = 0;
    const counting: ProcessScanner = {
      membersOf(...run) {
        asked += 1;
        return scanner.membersOf(...run);
      },
    };
    const ports = witness(counting);
    const place = { port: await portOf(), address: '127.0.0.1' };
    expect(await ports.strangerAt(place, owner)).toBeUndefined();
    expect(await ports.strangerAt(place, owner)).toBeUndefined();
    expect(asked).toBe(1);
  });

  it('a port of another process names it by pid and name', async () => {
    const port = await listening();
    const taken = await witness().strangerAt({ port, address: '127.0.0.1' }, await idle());
    expect(taken).toMatchObject({ port, holder: { pid: process.pid, name: expect.any(String) as unknown } });
  });

  it('a port of another service names that service', async () => {
    const mark = { SUP_SUPERVISOR: here.dataDir, SUP_UNIT: 'shop/api#4' };
    const { process: holder } = await leader('exec node -e "$CODE"', mark);
    const port = await portOf();
    expect(await witness().strangerAt({ port }, await idle())).toMatchObject({
      port,
      holder: { pid: holder.pid, service: 'shop/api' },
    });
  });

  it('a port without a visible listener has no stranger', async () => {
    const port = await listening();
    expect(await witness().strangerAt({ port: 1 }, await idle())).toBeUndefined();
    expect(await witness().strangerAt({ port, address: '10.1.2.3' }, await idle())).toBeUndefined();
  });
});

describe('which process accepted a connection', () => {
  const connected = async (port: number): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };
  const acceptorOf = async (socket: Socket, owner: PortOwner): Promise<string> => {
    const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
    return witness().acceptorOf(
      {
        server: { address: remoteAddress, port: remotePort },
        client: { address: localAddress, port: localPort },
      },
      owner,
    );
  };

  it('a connection that the run has accepted belongs to it', async () => {
    const owner = await leader('exec node -e "$CODE"');
    const socket = await connected(await portOf());
    await expect.poll(() => acceptorOf(socket, owner)).toBe('run');
    socket.destroy();
  });

  it('a connection that another process has accepted does not belong to the run', async () => {
    const socket = await connected(await listening());
    const owner = await idle();
    await expect.poll(() => acceptorOf(socket, owner)).toBe('other');
    socket.destroy();
  });

  it('a connection that a stopped process has not accepted is pending', async () => {
    const owner = await leader('exec node -e "$CODE"');
    const port = await portOf();
    process.kill(owner.process.pid, 'SIGSTOP');
    const socket = await connected(port);
    expect(await acceptorOf(socket, owner)).toBe('pending');
    socket.destroy();
  });
});
