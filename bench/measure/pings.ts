// Measures the event loop delay of the supervisor from outside: with pings on the control socket, one at a
// time. The figure includes the round trip, so it is an upper bound.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { controlSocketOf } from '../../src/client/control-socket.ts';

const BETWEEN_MS = 20;

const opened = (socket: WebSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('open', () => resolve()).once('error', reject);
  });

/** Sends pings while `goOn` returns true. Resolves to the time until each answer, ms. */
export const pings = async (dataDir: string, mayContinue: () => boolean): Promise<readonly number[]> => {
  const path = controlSocketOf(dataDir);
  const socket = new WebSocket('ws://localhost/', { createConnection: () => connect(path) });
  await opened(socket);
  const times: number[] = [];
  while (mayContinue()) {
    const began = performance.now();
    await new Promise((resolve) => {
      socket.once('pong', resolve).ping();
    });
    times.push(performance.now() - began);
    await pause(BETWEEN_MS);
  }
  socket.terminate();
  return times;
};
