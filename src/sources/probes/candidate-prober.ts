// Checks a candidate (the new run of a rollout) by URL or TCP while an older run may answer at the same
// address. A check passes only if a process of the candidate accepted the connection: `/proc/net/tcp` shows
// the inode of the server's end of the connection, and the process has a descriptor for this inode. If both
// runs share a listening socket, several connections are opened, and only answers on connections that the
// candidate accepted count (`docs/deployments.md`). A starting instance of a service is checked in the same
// way.
//
// Rules: `docs/behaviour.md`, "Instances", "Its own answer".
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { SchedulerLike } from 'rxjs';
import type { ProbeResult } from '../../streams/domain/event.ts';
import type { PortWitness } from '../../streams/domain/ports.ts';
import type { Acceptor, LocalConnection, LocalPlace, PortOwner } from '../../streams/domain/service/port.ts';
import type { Ms } from '../../streams/domain/time.ts';
import { getOver, hostOf, placeOf, type HttpResponse } from './http-client.ts';
import { attemptOf, elsewhere, isSamePlace, judge, MAX_REDIRECTS, portOf, refusalOf } from './http-prober.ts';
import type { Prober } from './prober.ts';
import { maskedText } from '../../streams/views/words/masked-text.ts';

interface CandidatePorts {
  readonly witness: PortWitness;
  /** The candidate (the new run of a rollout). Only its answer counts. */
  readonly owner: PortOwner;
  /** Time limit of one attempt; after it the attempt has failed. */
  readonly limit: Ms;
  readonly scheduler: SchedulerLike;
}

/**
 * The number of connections that a round opens, and the maximum number of rounds, if the candidate did not
 * accept the first connection. The process that wakes up first accepts several connections of a round, so
 * many small rounds reach more processes than one large round.
 */
const CONNECTIONS = 8;
const ROUNDS = 16;
/** The time after which no further round begins, ms. */
const ROUNDS_MS = 500;
/**
 * Maximum wait until a process accepts the connection, ms. Some servers accept a connection only after a
 * request arrives on it.
 */
const ACCEPT_MS = 250;
const FIRST_LOOK_MS = 2;

/** Returns the prober of an HTTP URL, or of a TCP address as `tcp://host:port`. */
export const candidateProber = (url: string, ports: CandidatePorts): Prober => ({
  attempt$: attemptOf((signal) => probe(new URL(url), { ...ports, signal }), ports),
  close: () => undefined,
});

interface CandidateContext extends CandidatePorts {
  readonly signal: AbortSignal;
}

/** The answer of the candidate; `undefined` if another process accepted the connection. */
type Answer = ProbeResult | undefined;

const probe = async (url: URL, context: CandidateContext): Promise<ProbeResult> => {
  const until = performance.now() + ROUNDS_MS;
  let said = await answer(url, context);
  let connections = 1;
  for (let round = 0; round < ROUNDS && said === undefined && performance.now() < until; round += 1) {
    if (context.signal.aborted) break;
    said = await firstOf(Array.from({ length: CONNECTIONS }, () => answer(url, context)));
    connections += CONNECTIONS;
  }
  return said ?? notAccepted(url, connections, context);
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

/**
 * Returns the failure for the case that the candidate accepted no connection. If a foreign process listens at
 * the address, the failure names it. Otherwise the failure says that the address is shared.
 */
const notAccepted = async (
  url: URL,
  connections: number,
  { witness, owner }: CandidateContext,
): Promise<ProbeResult> => {
  const place = { port: Number(portOf(url)) };
  const taken = await witness.strangerAt(place, owner).catch(() => undefined);
  if (taken !== undefined) return { tag: 'stranger', taken };
  const detail =
    `${shownCheck(url)}: none of ${connections} connections was accepted by the candidate, another process answers there; ` +
    'give health_check a port of its own, or a command';
  return { tag: 'unhealthy', detail };
};

const isTcp = ({ protocol }: URL): boolean => protocol === 'tcp:';

const shownCheck = (url: URL): string => (isTcp(url) ? `tcp ${url.host}` : `GET ${maskedText(url.href)}`);

/** Sends one request on a new connection, and one more for each redirect. Returns the candidate's answer. */
const answer = async (url: URL, context: CandidateContext): Promise<Answer> => {
  let target = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const said = await askOnce(target, context).catch((error: unknown) => refusalOf(error));
    if (!(said instanceof URL)) return said;
    if (!isSamePlace(said, url)) return elsewhere(target, said);
    target = said;
  }
  return { tag: 'unhealthy', detail: `GET ${maskedText(url.href)}: more than ${MAX_REDIRECTS} redirects` };
};

/**
 * Sends one request; a TCP check only connects. Returns the candidate's answer, the target of a redirect, or
 * `undefined` if another process accepted the connection.
 */
const askOnce = async (url: URL, context: CandidateContext): Promise<Answer | URL> => {
  const socket = await connected(url, context.signal);
  try {
    const early = await acceptedWithin(socket, context);
    if (early === 'other') return undefined;
    const response = isTcp(url) ? undefined : await getOver(socket, url, context.signal);
    const acceptor = early === 'pending' ? await acceptorOf(socket, context) : early;
    const server = connectionOf(socket)?.server;
    const counts = response === undefined && acceptor === 'pending' ? isOnlyListener : isCandidate;
    return (await counts([early, acceptor], server, context)) ? await saidIn(url, response) : undefined;
  } finally {
    socket.destroy();
  }
};

/**
 * Returns the result of the response, or the target of a redirect. A TCP check has no response, and passes.
 */
const saidIn = async (url: URL, response: HttpResponse | undefined): Promise<ProbeResult | URL> => {
  if (response === undefined) return { tag: 'passed' };
  return response.redirect === undefined ? judge(url, response) : new URL(response.redirect, url);
};

/**
 * True if only the candidate can accept this connection, which no process has accepted yet: a TCP check sends
 * no request, and some servers accept a connection only when a request arrives on it.
 */
const isOnlyListener = async (
  _: readonly Acceptor[],
  server: LocalPlace | undefined,
  { witness, owner }: CandidateContext,
): Promise<boolean> =>
  server !== undefined &&
  !(await witness.isShared(server)) &&
  (await witness.strangerAt(server, owner)) === undefined;

/**
 * True if the candidate accepted the connection. Also true if that cannot be checked, because the server is
 * on another machine, or because the candidate must not be examined and shares no listening socket.
 */
const isCandidate = async (
  [early, acceptor]: readonly [Acceptor, Acceptor],
  server: LocalPlace | undefined,
  { witness }: CandidateContext,
): Promise<boolean> => {
  if (acceptor === 'run') return true;
  if (acceptor === 'other' || acceptor === 'pending' || early === 'pending') return false;
  return acceptor === 'unknown' || server === undefined || !(await witness.isShared(server));
};

const connected = (url: URL, signal: AbortSignal): Promise<Socket> =>
  connectedTo({ host: hostOf(url), port: Number(portOf(url)) }, signal);

/** Resolves to a connected socket. Rejects if the connection fails, or if `signal` aborts first. */
export const connectedTo = (
  to: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(to);
    signal.addEventListener('abort', () => void socket.destroy(new Error('called off')));
    socket.once('connect', () => resolve(socket));
    socket.on('error', reject);
  });

/** Returns both ends of a connection if the server is on this machine; otherwise `undefined`. */
export const connectionOf = (socket: Socket): LocalConnection | undefined => {
  const server = placeOf(socket);
  const { localAddress: address, localPort: port } = socket;
  if (server?.address === undefined || address === undefined || port === undefined) return undefined;
  return { server: { ...server, address: server.address }, client: { address, port } };
};

const acceptorOf = async (socket: Socket, { witness, owner }: CandidateContext): Promise<Acceptor> => {
  const connection = connectionOf(socket);
  return connection === undefined ? 'unknown' : witness.acceptorOf(connection, owner);
};

/**
 * Returns which process accepted the connection. Checks repeatedly; returns `pending` if no process accepts
 * the connection within `ACCEPT_MS`.
 */
const acceptedWithin = async (socket: Socket, context: CandidateContext): Promise<Acceptor> => {
  const until = performance.now() + ACCEPT_MS;
  for (let wait = FIRST_LOOK_MS; ; wait *= 2) {
    const acceptor = await acceptorOf(socket, context);
    if (acceptor !== 'pending' || performance.now() + wait > until) return acceptor;
    await pause(wait);
  }
};
