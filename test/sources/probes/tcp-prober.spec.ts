import { createServer, type AddressInfo, type Server } from 'node:net';
import { asyncScheduler, take } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { candidateProber } from '../../../src/sources/probes/candidate-prober.ts';
import { tcpProber } from '../../../src/sources/probes/tcp-prober.ts';
import type { ProbeResult } from '../../../src/streams/domain/event.ts';
import type { PortWitness } from '../../../src/streams/domain/ports.ts';
import type { Acceptor, PortConflict } from '../../../src/streams/domain/service/port.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { all, RUN, sh, specOf } from '../../fixtures/processes/world.ts';

const opened: Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

const listening = async (host = '127.0.0.1'): Promise<number> => {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
};

interface Seen {
  readonly taken?: PortConflict;
  /** What is told of the connection, one look after the other; the last one is repeated. */
  readonly acceptors?: readonly Acceptor[];
  readonly isShared?: boolean;
}

const witnessOf = ({ taken, acceptors = ['pending'], isShared = false }: Seen): PortWitness => {
  let looks = 0;
  return {
    strangerAt: () => Promise.resolve(taken),
    acceptorOf: () => Promise.resolve(acceptors[Math.min(looks++, acceptors.length - 1)] ?? 'unknown'),
    isShared: () => Promise.resolve(isShared),
  };
};
const owner = { service: specOf(sh('true')).id, run: RUN, process: { pid: 2 ** 30, startTicks: 1 } };
const limits = (limit: number) => ({ limit: ms(limit), scheduler: asyncScheduler, owner });
const taken: PortConflict = { port: 80, holder: { pid: 1 } };

const probed = async (
  address: string,
  { isHeld = false, limit = 5000, ...seen }: Seen & { isHeld?: boolean; limit?: number } = {},
): Promise<ProbeResult | undefined> => {
  const witness = witnessOf(seen);
  const stranger = () => witness.strangerAt({ port: 80 }, owner);
  const { attempt$ } = tcpProber(address, { ...limits(limit), witness, stranger, isHeld });
  return (await all(attempt$.pipe(take(1))))[0];
};

describe('a check by TCP', () => {
  it('a check by TCP passes if a connection is accepted, by port alone on either loopback address', async () => {
    expect(await probed(`127.0.0.1:${await listening()}`)).toEqual({ tag: 'passed' });
    expect(await probed(`${await listening()}`)).toEqual({ tag: 'passed' });
    expect(await probed(`[::1]:${await listening('::1')}`)).toEqual({ tag: 'passed' });
  });

  it('a check by TCP without a listener is unreachable', async () => {
    const port = await listening();
    const server = opened.pop();
    await new Promise((resolve) => server?.close(resolve));
    expect(await probed(`127.0.0.1:${port}`)).toMatchObject({
      tag: 'unreachable',
      detail: expect.stringContaining('ECONNREFUSED') as unknown,
    });
  });

  it('a listener of another process on this machine is no pass', async () => {
    expect(await probed(`${await listening()}`, { taken })).toEqual({ tag: 'stranger', taken });
  });

  it('a held socket passes when a process accepts, and a hung service is a timeout', async () => {
    const address = `127.0.0.1:${await listening()}`;
    const acceptors = ['pending', 'pending', 'run'] as const;
    expect(await probed(address, { isHeld: true, acceptors })).toEqual({ tag: 'passed' });
    expect(await probed(address, { isHeld: true, limit: 60 })).toEqual({ tag: 'timed-out' });
  });
});

describe('a check by TCP in a rollout', () => {
  const ofCandidate = async (seen: Seen): Promise<ProbeResult | undefined> => {
    const url = `tcp://localhost:${await listening()}`;
    const { attempt$ } = candidateProber(url, { ...limits(5000), witness: witnessOf(seen) });
    return (await all(attempt$.pipe(take(1))))[0];
  };

  it('a check by TCP passes if the candidate accepted the connection', async () => {
    expect(await ofCandidate({ acceptors: ['pending', 'run'] })).toEqual({ tag: 'passed' });
  });

  it('a check by TCP passes if the candidate accepted only the fortieth connection', async () => {
    const acceptors = [...Array.from({ length: 39 }, () => 'other' as const), 'run' as const];
    expect(await ofCandidate({ acceptors, isShared: true })).toEqual({ tag: 'passed' });
  });

  it('a check by TCP does not pass if another process accepted all connections', async () => {
    expect(await ofCandidate({ acceptors: ['other'] })).toMatchObject({
      tag: 'unhealthy',
      detail: expect.stringMatching(/^tcp localhost:\d+: none of \d+ connections was accepted/) as unknown,
    });
    expect(await ofCandidate({ acceptors: ['other'], taken })).toEqual({ tag: 'stranger', taken });
  });

  it('a connection that waits passes only if the candidate alone listens there', async () => {
    expect(await ofCandidate({})).toEqual({ tag: 'passed' });
    expect(await ofCandidate({ isShared: true })).toMatchObject({ tag: 'unhealthy' });
    expect(await ofCandidate({ taken })).toEqual({ tag: 'stranger', taken });
  });
});
