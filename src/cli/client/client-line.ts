// One WebSocket connection to a supervisor: sends texts, receives answers, and reports how it ended.
import type { IncomingMessage } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { WebSocket, type RawData } from 'ws';
import { isForbidden } from '../../os/errno.ts';
import { ms } from '../../streams/domain/time.ts';
import { decodeAnswer, type Answer } from '../../streams/wire/answers.ts';
import { MAX_ANSWER, TRY_AGAIN_LATER } from '../../streams/wire/protocol.ts';
import { failedWith, refusedBy, type ClientFailure } from './client-failure.ts';
import { controlSocketOf, recordedPid } from './control-socket.ts';

/** After `MOST_MISSED` unanswered pings, one each `PULSE_MS`, the connection fails. */
const PULSE_MS = 5_000;
const MOST_MISSED = 4;

export interface ClientLine {
  readonly send: (text: string) => void;
  /** Sets the listener for answers; replaces the previous one. */
  readonly onAnswer: (listener: (answer: Answer) => void) => void;
  /** Starts to ping the supervisor. If it stops answering, the connection ends with ERR0205. */
  readonly watchPulse: (pid: number) => void;
  /** Resolves when the connection has ended: with the failure, or with `undefined` if this side closed it. */
  readonly ended: Promise<ClientFailure | undefined>;
  /** Returns an error (ERR0206) that says that the supervisor has closed the connection. */
  readonly gone: () => ClientFailure;
  /** Ends the connection immediately; `ended` then resolves to `failure`. */
  readonly cut: (failure: ClientFailure) => void;
  readonly hangUp: () => void;
}

export const openLine = (dataDir: string, path = controlSocketOf(dataDir)): ClientLine => {
  const socket = new WebSocket('ws://localhost/', {
    // Connects by path, because a `ws+unix:` address cannot contain a path with a colon or a space.
    createConnection: () => connectSocket(path),
    perMessageDeflate: false,
    maxPayload: MAX_ANSWER,
  });
  const gone = (): ClientFailure => failedWith({ code: 'ERR0206', dataDir });
  let verdict: (() => ClientFailure | undefined) | undefined;
  let heard: (answer: Answer) => void = () => undefined;
  const end = (how: () => ClientFailure | undefined): void => {
    verdict ??= how;
    socket.terminate();
  };
  socket.on('error', (error) => (verdict ??= () => dialFailure(error, { dataDir, path })));
  socket.on('close', (code) => {
    if (code === TRY_AGAIN_LATER) verdict ??= () => turnedAway(dataDir);
  });
  socket.on('unexpected-response', (_request, response) => {
    void refusalIn(response).then((failure) => end(() => failure ?? gone()));
  });
  socket.on('message', (data) => {
    const answer = decodeAnswer(textOf(data));
    if (answer !== undefined) heard(answer);
  });
  return {
    send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
    onAnswer: (listener) => (heard = listener),
    watchPulse: (pid) => watchPulse(socket, () => end(() => silent(pid))),
    ended: new Promise((resolve) => socket.on('close', () => resolve((verdict ?? gone)()))),
    gone,
    cut: (failure) => end(() => failure),
    hangUp: () => {
      verdict ??= () => undefined;
      socket.close();
    },
  };
};

/** Resolves to the reason why the supervisor rejected the connection; to `undefined` if it gave none. */
const refusalIn = async (response: IncomingMessage): Promise<ClientFailure | undefined> => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(Buffer.from(chunk as Uint8Array));
  } catch {
    return undefined;
  }
  const answer = decodeAnswer(Buffer.concat(chunks).toString());
  return answer?.tag === 'error' ? refusedBy(answer.error) : undefined;
};

const turnedAway = (dataDir: string): ClientFailure => {
  const pid = recordedPid(dataDir);
  return failedWith({ code: 'ERR0205', full: true, ...(pid !== undefined && { pid }) });
};

const silent = (pid: number): ClientFailure =>
  failedWith({ code: 'ERR0205', pid, waited: ms(PULSE_MS * MOST_MISSED) });

/** Calls `onSilence` after `MOST_MISSED` unanswered pings: a suspended client must not blame the time. */
const watchPulse = (socket: WebSocket, onSilence: () => void): void => {
  let missed = 0;
  const alive = (): void => {
    missed = 0;
  };
  const timer = setInterval(() => {
    if (missed >= MOST_MISSED) onSilence();
    else socket.ping();
    missed += 1;
  }, PULSE_MS);
  socket.on('pong', alive);
  socket.on('message', alive);
  socket.on('close', () => clearInterval(timer));
};

interface Dialled {
  readonly dataDir: string;
  readonly path: string;
}

/** Returns the failure of a connection attempt: ERR0701 without permission for the socket, else ERR0206. */
const dialFailure = (error: Error, { dataDir, path }: Dialled): ClientFailure => {
  if (isForbidden(error)) {
    return failedWith({
      code: 'ERR0701',
      file: path,
      detail: 'the control socket may not be opened by this user',
    });
  }
  return failedWith({ code: 'ERR0206', dataDir });
};

const textOf = (data: RawData): string => {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString();
};
