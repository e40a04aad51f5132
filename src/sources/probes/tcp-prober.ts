// Checks a service by TCP: the check passes if a connection can be made. If the server is on this machine, no
// foreign process may be listening at the address (`docs/behaviour.md`, "Health checks").
//
// The kernel completes a connection to a listening socket before a program accepts it. If the supervisor
// holds the socket, a connection therefore does not prove that the service runs, and the check also waits
// until a process has accepted the connection.
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { SchedulerLike } from 'rxjs';
import type { ProbeResult } from '../../streams/domain/event.ts';
import type { PortWitness } from '../../streams/domain/ports.ts';
import { tcpAddress, type PortOwner } from '../../streams/domain/service/port.ts';
import type { Ms } from '../../streams/domain/time.ts';
import { connectedTo, connectionOf } from './candidate-prober.ts';
import { placeOf } from './http-client.ts';
import { attemptOf, refusalOf, type Stranger } from './http-prober.ts';
import type { Prober } from './prober.ts';

interface TcpPorts {
  readonly stranger: Stranger;
  readonly witness: PortWitness;
  readonly owner: PortOwner;
  /** True if the supervisor holds the listening socket (`sockets`). */
  readonly isHeld: boolean;
  readonly limit: Ms;
  readonly scheduler: SchedulerLike;
}

const FIRST_LOOK_MS = 2;
const LONGEST_PAUSE_MS = 250;

export const tcpProber = (address: string, ports: TcpPorts): Prober => ({
  attempt$: attemptOf((signal) => ask(address, ports, signal).catch(refusalOf), ports),
  close: () => undefined,
});

const ask = async (address: string, ports: TcpPorts, signal: AbortSignal): Promise<ProbeResult> => {
  const place = tcpAddress(address);
  if (place === undefined) return { tag: 'unreachable', detail: `${address} is no address` };
  const socket = await connectedTo(place, signal);
  try {
    const here = placeOf(socket);
    if (here === undefined) return { tag: 'passed' };
    if (ports.isHeld) await accepted(socket, ports, signal);
    const taken = await ports.stranger(here).catch(() => undefined);
    return taken === undefined ? { tag: 'passed' } : { tag: 'stranger', taken };
  } finally {
    socket.destroy();
  }
};

/**
 * Waits until a process has accepted the connection. `signal` ends the wait at the time limit of the attempt.
 */
const accepted = async (socket: Socket, { witness, owner }: TcpPorts, signal: AbortSignal): Promise<void> => {
  const connection = connectionOf(socket);
  if (connection === undefined) return;
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    if ((await witness.acceptorOf(connection, owner)) !== 'pending') return;
    await pause(wait, undefined, { signal });
  }
};
