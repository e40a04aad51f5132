// Checks a candidate (the new run of a rollout) by URL while an older run may answer there too. A pass counts
// only if a process of the candidate accepted the connection: the server's end has an inode in
// `/proc/net/tcp`, for which only that process has a descriptor. If both runs share a listening socket,
// several connections are opened, and answers on those that the candidate accepted count
// (`docs/deployments.md`).
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { SchedulerLike } from 'rxjs';
import type { ProbeResult } from '../../streams/domain/event.ts';
import type { PortWitness } from '../../streams/domain/ports.ts';
import type { Acceptor, LocalConnection, LocalPlace, PortOwner } from '../../streams/domain/service/port.ts';
import type { Ms } from '../../streams/domain/time.ts';
import { getOver, hostOf, placeOf } from './http-client.ts';
import { attemptOf, elsewhere, isSamePlace, judge, MAX_REDIRECTS, portOf, refusalOf } from './http-prober.ts';
import type { Prober } from './prober.ts';

interface CandidatePorts {
  readonly witness: PortWitness;
  /** The candidate (the new run of a rollout). Only its answer counts. */
  readonly owner: PortOwner;
  /** Time limit of one attempt; after it the attempt has failed. */
  readonly limit: Ms;
  readonly scheduler: SchedulerLike;
}

/** Number of connections opened at once if the candidate did not accept the first one. */
const CONNECTIONS = 8;
/** How long to wait until a process accepts the connection, ms; some servers accept only after a request. */
const ACCEPT_MS = 250;
const FIRST_LOOK_MS = 2;

export const candidateProber = (url: string, ports: CandidatePorts): Prober => ({
  attempt$: attemptOf((signal) => probe(new URL(url), { ...ports, signal }), ports),
  close: () => undefined,
});

interface Asking extends CandidatePorts {
  readonly signal: AbortSignal;
}

/** The answer of the candidate; `undefined` if another process accepted the connection. */
type Answer = ProbeResult | undefined;

const probe = async (url: URL, asking: Asking): Promise<ProbeResult> => {
  const first = await answer(url, asking);
  if (first !== undefined) return first;
  const more = Array.from({ length: CONNECTIONS }, () => answer(url, asking));
  return (await firstOf(more)) ?? notAccepted(url, asking);
};

/** Returns the first answer that passed, else any answer of the candidate. */
const firstOf = async (answers: readonly Promise<Answer>[]): Promise<Answer> => {
  const passed = answers.map(async (answered) => {
    const result = await answered;
    if (result?.tag !== 'passed') throw new Error('not passed');
    return result;
  });
  const failed = async (): Promise<Answer> =>
    (await Promise.all(answers)).find((result) => result !== undefined);
  return Promise.any(passed).catch(failed);
};

/** Returns the failure for an answer of another process, with its name and whether the address is shared. */
const notAccepted = async (url: URL, { witness, owner }: Asking): Promise<ProbeResult> => {
  const place = { port: Number(portOf(url)) };
  const taken = await witness.strangerAt(place, owner).catch(() => undefined);
  if (taken !== undefined) return { tag: 'stranger', taken };
  const detail =
    `GET ${url.href}: none of ${CONNECTIONS + 1} connections was accepted by the candidate, another process answers there; ` +
    'give health_check a port of its own, or a command';
  return { tag: 'unhealthy', detail };
};

/** Sends one request on a new connection, and one more for each redirect. Returns the candidate's answer. */
const answer = async (url: URL, asking: Asking): Promise<Answer> => {
  let target = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const said = await askOnce(target, asking).catch((error: unknown) => refusalOf(error));
    if (!(said instanceof URL)) return said;
    if (!isSamePlace(said, url)) return elsewhere(target, said);
    target = said;
  }
  return { tag: 'unhealthy', detail: `GET ${url.href}: more than ${MAX_REDIRECTS} redirects` };
};

/** Sends one request. Returns the candidate's answer, a redirect, or nothing if another one accepted. */
const askOnce = async (url: URL, asking: Asking): Promise<Answer | URL> => {
  const socket = await connected(url, asking.signal);
  try {
    const early = await acceptedWithin(socket, asking);
    if (early === 'other') return undefined;
    const response = await getOver(socket, url, asking.signal);
    const acceptor = early === 'pending' ? await acceptorOf(socket, asking) : early;
    const server = connectionOf(socket)?.server;
    if (!(await isCandidate([early, acceptor], server, asking))) return undefined;
    if (response.redirect !== undefined) return new URL(response.redirect, url);
    return await judge(url, response);
  } finally {
    socket.destroy();
  }
};

/**
 * True if the candidate accepted the connection, or if that cannot be checked: on another machine, or if the
 * candidate may not be examined and shares no listening socket.
 */
const isCandidate = async (
  [early, acceptor]: readonly [Acceptor, Acceptor],
  server: LocalPlace | undefined,
  { witness }: Asking,
): Promise<boolean> => {
  if (acceptor === 'run') return true;
  if (acceptor === 'other' || acceptor === 'pending' || early === 'pending') return false;
  return acceptor === 'unknown' || server === undefined || !(await witness.isShared(server));
};

const connected = (url: URL, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: hostOf(url), port: Number(portOf(url)) });
    signal.addEventListener('abort', () => void socket.destroy(new Error('called off')));
    socket.once('connect', () => resolve(socket));
    socket.on('error', reject);
  });

/** Returns both ends of a connection; `undefined` unless both are on this machine. */
const connectionOf = (socket: Socket): LocalConnection | undefined => {
  const server = placeOf(socket);
  const { localAddress: address, localPort: port } = socket;
  if (server?.address === undefined || address === undefined || port === undefined) return undefined;
  return { server: { ...server, address: server.address }, client: { address, port } };
};

const acceptorOf = async (socket: Socket, { witness, owner }: Asking): Promise<Acceptor> => {
  const connection = connectionOf(socket);
  return connection === undefined ? 'unknown' : witness.acceptorOf(connection, owner);
};

/** Returns which process accepted the connection, checking repeatedly until time is up (`pending`). */
const acceptedWithin = async (socket: Socket, asking: Asking): Promise<Acceptor> => {
  const until = performance.now() + ACCEPT_MS;
  for (let wait = FIRST_LOOK_MS; ; wait *= 2) {
    const acceptor = await acceptorOf(socket, asking);
    if (acceptor !== 'pending' || performance.now() + wait > until) return acceptor;
    await pause(wait);
  }
};
