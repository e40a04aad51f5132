// The client of the control channel: connects, receives the greeting, calls methods and receives the live
// view. Every call gets an answer or an error: ERR0206 if the supervisor has gone, ERR0205 if it does not
// answer.
// Rules: `docs/behaviour.md`, "Control channel".
import type { Duplex } from 'node:stream';
import { ClientFailure, failedWith, otherProtocol, isGone } from './client-failure.ts';
import { type ClientLine, openLine } from './supervisor-connection.ts';
import { recordedPid } from './control-socket.ts';
import { type CallOptions, pendingCalls } from './pending-calls.ts';
import { ms } from '../streams/domain/time.ts';
import { type Hello, type Method, type Methods, PROTOCOL, type View } from '../streams/wire/protocol.ts';

const GREETING_MS = 5_000;

export interface ConnectOptions {
  /** Timeout for the supervisor's greeting, ms; 5,000 by default. */
  readonly timeout?: number;
  /**
   * If true, the client also accepts another protocol version. It may then send only requests that are the
   * same in every version.
   */
  readonly anyProtocol?: boolean;
  /** The name of the connecting program in events; absent for the command line. */
  readonly origin?: string;
  /** Path of the socket; by default the control socket of the data directory. */
  readonly path?: string;
  /** An open connection to a control socket on another machine; `dataDir` is then the name of the machine. */
  readonly stream?: Duplex;
}

export interface Client {
  readonly hello: Hello;
  /** Calls a method. Rejects with a `ClientFailure`; after ERR0111 (timeout) the command continues. */
  call<M extends Method>(
    method: M,
    params: Methods[M]['params'],
    options?: CallOptions,
  ): Promise<Methods[M]['result']>;
  /**
   * Adds a listener for views (statuses of services), which the supervisor sends after the call `watch`.
   * Returns a function that removes the listener.
   */
  onView(listener: (view: View) => void): () => void;
  /** Sets the listener for progress messages of an upgrade. */
  onProgress(listener: (text: string) => void): void;
  /** Sets the listener for the greeting that the supervisor sends after an upgrade, from its new program. */
  onHello(listener: (hello: Hello) => void): void;
  /** Resolves when the connection has ended: to the failure, or to `undefined` after `close`. */
  readonly ended: Promise<ClientFailure | undefined>;
  close(): void;
}

/**
 * Connects and waits for the greeting. Rejects with ERR0206 if no supervisor listens, and with ERR0205 if the
 * supervisor does not answer or has another protocol version.
 */
export const connect = async (
  dataDir: string,
  { timeout = GREETING_MS, anyProtocol = false, path, stream, origin }: ConnectOptions = {},
): Promise<Client> => {
  const line = openLine(dataDir, { path, stream });
  const hello = await greeting(line, { dataDir, timeout });
  if (hello.protocol !== PROTOCOL && !anyProtocol) {
    line.hangUp();
    throw otherProtocol(hello);
  }
  return clientOn(line, hello, origin);
};

const greeting = async (
  line: ClientLine,
  { dataDir, timeout }: { readonly dataDir: string; readonly timeout: number },
): Promise<Hello> => {
  const pid = recordedPid(dataDir);
  const late = (): ClientFailure =>
    failedWith({ code: 'ERR0205', waited: ms(timeout), ...(pid === undefined ? {} : { pid }) });
  const timer = setTimeout(() => line.cut(late()), timeout);
  try {
    return await new Promise<Hello>((resolve, reject) => {
      line.onAnswer((answer) => {
        if (answer.tag === 'hello') resolve(answer.hello);
      });
      void line.ended.then((failure) => reject(failure ?? late()));
    });
  } finally {
    clearTimeout(timer);
  }
};

interface Listeners {
  readonly view: Set<(view: View) => void>;
  progress: (text: string) => void;
  hello: (hello: Hello) => void;
}

const clientOn = (line: ClientLine, hello: Hello, origin?: string): Client => {
  const listeners: Listeners = { view: new Set(), progress: () => undefined, hello: () => undefined };
  const calls = pendingCalls({ send: line.send, pid: hello.pid, origin });
  line.onAnswer((answer) => {
    if (answer.tag === 'view') listeners.view.forEach((listener) => listener(answer.view));
    else if (answer.tag === 'progress') listeners.progress(answer.text);
    else if (answer.tag === 'hello') listeners.hello(answer.hello);
    else calls.settle(answer);
  });
  void line.ended.then((failure) => calls.fail(failure ?? line.gone()));
  line.watchPulse(hello.pid);
  return {
    hello,
    call: calls.call,
    onView: (listener) => {
      listeners.view.add(listener);
      return () => listeners.view.delete(listener);
    },
    onProgress: (listener) => void (listeners.progress = listener),
    onHello: (listener) => void (listeners.hello = listener),
    ended: line.ended,
    close: line.hangUp,
  };
};

interface Dialling extends Pick<ConnectOptions, 'anyProtocol' | 'origin'> {
  readonly timeout?: number | undefined;
}

/** Resolves to a client, or to `undefined` if no supervisor listens. Rejects with other failures. */
export const dial = async (
  dataDir: string,
  { timeout, ...protocols }: Dialling = {},
): Promise<Client | undefined> => {
  try {
    return await connect(dataDir, { ...protocols, ...(timeout !== undefined && { timeout }) });
  } catch (thrown) {
    if (isGone(thrown)) return undefined;
    throw thrown;
  }
};
