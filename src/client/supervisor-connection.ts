// One WebSocket connection to a supervisor: sends texts, receives answers, and reports how it ended.
// Rules: `docs/behaviour.md`, "Control channel".
import { connect as connectSocket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, type RawData } from 'ws';
import { isForbidden } from '../os/errno.ts';
import { ms } from '../streams/domain/time.ts';
import { decodeAnswer, type Answer } from '../streams/wire/answers.ts';
import { TRY_AGAIN_LATER } from '../streams/wire/protocol.ts';
import { failedWith, refusedBy, type ClientFailure } from './client-failure.ts';
import { controlSocketOf, recordedPid } from './control-socket.ts';
import { openWebSocket } from './websocket-handshake.ts';

/**
 * Time between two pings to the supervisor, ms. After `MOST_MISSED` unanswered pings the connection fails.
 */
const PULSE_MS = 5_000;
const MOST_MISSED = 4;

export interface ClientLine {
  readonly send: (text: string) => void;
  /** Sets the listener for answers; replaces the previous one. */
  readonly onAnswer: (listener: (answer: Answer) => void) => void;
  /** Starts to ping the supervisor. If it stops answering, the connection ends with ERR0205. */
  readonly watchPulse: (pid: number) => void;
  /**
   * Resolves when the connection has ended: to the failure, or to `undefined` if this side closed the
   * connection.
   */
  readonly ended: Promise<ClientFailure | undefined>;
  /** Returns an error (ERR0206) that says that the supervisor has closed the connection. */
  readonly gone: () => ClientFailure;
  /** Ends the connection immediately; `ended` then resolves to `failure`. */
  readonly cut: (failure: ClientFailure) => void;
  readonly hangUp: () => void;
}

/** Keeps the reason why a connection ends. Only the first reason that is set is used. */
interface Ending {
  /** Sets the reason if none is set yet. `undefined` means that this side closed the connection. */
  readonly because: (how: () => ClientFailure | undefined) => void;
  /**
   * Resolves `ended` to the reason that was set. If none was set, resolves `ended` to the result of
   * `otherwise`.
   */
  readonly over: (otherwise: () => ClientFailure) => void;
  readonly ended: Promise<ClientFailure | undefined>;
}

const ending = (): Ending => {
  let reason: (() => ClientFailure | undefined) | undefined;
  let settle: (failure: ClientFailure | undefined) => void = () => undefined;
  const ended = new Promise<ClientFailure | undefined>((resolve) => (settle = resolve));
  return {
    because: (how) => void (reason ??= how),
    over: (otherwise) => settle((reason ?? otherwise)()),
    ended,
  };
};

interface LineOptions {
  /** Path of the control socket; by default the socket of the data directory. */
  readonly path?: string | undefined;
  /** An open connection, which is used instead of a new one. */
  readonly stream?: Duplex | undefined;
}

/**
 * Connects to the supervisor. If the connection fails before the WebSocket is open, the socket error is the
 * reason. After that only the close code is the reason, because errors may follow it.
 */
export const openLine = (dataDir: string, options: LineOptions = {}): ClientLine => {
  const { path = controlSocketOf(dataDir), stream } = options;
  const line = stream ?? connectSocket(path);
  const { because, over, ended } = ending();
  let socket: WebSocket | undefined;
  let listener: (answer: Answer) => void = () => undefined;
  const gone = (): ClientFailure => failedWith({ code: 'ERR0206', dataDir });
  const end = (how: () => ClientFailure | undefined): void => {
    because(how);
    if (socket === undefined) line.destroy();
    else socket.terminate();
  };
  line.on('error', (error) => socket ?? because(() => dialFailure(error, { dataDir, path })));
  line.on('close', () => socket === undefined && over(gone));
  openWebSocket(line, {
    accepted: (open) => {
      socket = open
        .on('error', () => undefined)
        .on('close', (code) => {
          if (code === TRY_AGAIN_LATER) because(() => turnedAway(dataDir));
          over(gone);
        });
      onAnswers(socket, (answer) => listener(answer));
    },
    refused: (body) => end(() => refusalIn(body) ?? gone()),
  });
  return {
    send: (text) => socket?.readyState === WebSocket.OPEN && socket.send(text),
    onAnswer: (added) => (listener = added),
    watchPulse: (pid) => socket && watchPulse(socket, () => end(() => silent(pid))),
    ...{ ended, gone, cut: (failure) => end(() => failure) },
    hangUp: () => {
      because(() => undefined);
      if (socket === undefined) line.destroy();
      else socket.close();
    },
  };
};

const onAnswers = (socket: WebSocket, listener: (answer: Answer) => void): void =>
  void socket.on('message', (data) => {
    const answer = decodeAnswer(textOf(data));
    if (answer !== undefined) listener(answer);
  });

/** Returns the reason why the supervisor rejected the connection; `undefined` if it gave none. */
const refusalIn = (body: string): ClientFailure | undefined => {
  const answer = decodeAnswer(body);
  return answer?.tag === 'error' ? refusedBy(answer.error) : undefined;
};

const turnedAway = (dataDir: string): ClientFailure => {
  const pid = recordedPid(dataDir);
  return failedWith({ code: 'ERR0205', full: true, ...(pid !== undefined && { pid }) });
};

const silent = (pid: number): ClientFailure =>
  failedWith({ code: 'ERR0205', pid, waited: ms(PULSE_MS * MOST_MISSED) });

/**
 * Calls `onSilence` after `MOST_MISSED` unanswered pings. It counts pings and not time, because this process
 * may have been suspended.
 */
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

/** Returns the failure to connect: ERR0701 if this user may not open the socket, else ERR0206. */
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
