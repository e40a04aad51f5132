// One connection to a supervisor, from the dialling to the end: what comes in, what goes out, and how it ended.
import type { IncomingMessage } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { WebSocket, type RawData } from 'ws';
import { isForbidden } from '../../os/errno.ts';
import { ms } from '../../streams/domain/time.ts';
import { decodeAnswer, type Answer } from '../../streams/wire/answers.ts';
import { MAX_ANSWER, TRY_AGAIN_LATER } from '../../streams/wire/protocol.ts';
import { failedWith, refusedBy, type ClientFailure } from './client-failure.ts';
import { controlSocketOf, recordedPid } from './socket-path.ts';

/** How often the supervisor is asked for a sign of life, and how many of these it may leave unanswered. */
const PULSE_MS = 5_000;
const MOST_MISSED = 4;

export interface Line {
  readonly send: (text: string) => void;
  /** Replaces the listener before. */
  readonly onAnswer: (listener: (answer: Answer) => void) => void;
  /** From now on, silence ends the line with ERR0205. */
  readonly watchPulse: (pid: number) => void;
  /** Settles when the line is over; with nothing when this side hung up. */
  readonly ended: Promise<ClientFailure | undefined>;
  /** The failure of a line that somebody else ended. */
  readonly gone: () => ClientFailure;
  /** Ends it at once, with this failure. */
  readonly cut: (failure: ClientFailure) => void;
  readonly hangUp: () => void;
}

export const openLine = (dataDir: string, path = controlSocketOf(dataDir)): Line => {
  const socket = new WebSocket('ws://localhost/', {
    // Dialled by path rather than by a `ws+unix:` address, in which a path with a colon or a blank would break.
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

/** The supervisor does not admit this client, and says why; `undefined` if it broke off. */
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

/** Counts unanswered pulses rather than time, so that a client that was itself stopped for a while does not blame the supervisor. */
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

/** No socket, nobody behind it, or somebody who hung up: no supervisor. A socket that may not be opened is another matter. */
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
