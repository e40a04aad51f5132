// The client of the control channel: connects, receives the supervisor's greeting, calls methods, receives
// the live view. No call waits forever: a supervisor that is gone is ERR0206, one that does not answer
// ERR0205.
// Rules: `docs/behaviour.md`, "Control channel".
import { ClientFailure, failedWith, otherProtocol, isGone } from './client-failure.ts';
import { type ClientLine, openLine } from './client-line.ts';
import { recordedPid } from './control-socket.ts';
import { type CallOptions, pendingCalls } from './pending-calls.ts';
import { ms } from '../../streams/domain/time.ts';
import { type Hello, type Method, type Methods, PROTOCOL, type View } from '../../streams/wire/protocol.ts';

/** How long to wait for the greeting by default, ms. */
const GREETING_MS = 5_000;

export interface ConnectOptions {
  /** Milliseconds until a greeting must have come; 5,000 by default. */
  readonly timeout?: number;
  /** Also accepts another protocol version, for requests that never change their form. */
  readonly anyProtocol?: boolean;
  /** Path of the socket; by default the control socket of the data directory. */
  readonly path?: string;
}

export interface Client {
  readonly hello: Hello;
  /** Rejects with a `ClientFailure`. A timeout is ERR0111 for a command, which goes on; else ERR0205. */
  call<M extends Method>(
    method: M,
    params: Methods[M]['params'],
    options?: CallOptions,
  ): Promise<Methods[M]['result']>;
  /** Views come after a `watch` call. Returns how to stop listening. */
  onView(listener: (view: View) => void): () => void;
  /** Receives the progress of an upgrade. */
  onProgress(listener: (text: string) => void): void;
  /** Called when another program runs in the supervisor's process, or the same one again after a failure. */
  onHello(listener: (hello: Hello) => void): void;
  /** Settles when the connection is over: with the failure, or with nothing after `close`. */
  readonly ended: Promise<ClientFailure | undefined>;
  close(): void;
}

/** Rejects with a `ClientFailure`: ERR0206 (no listener) or ERR0205 (a listener that does not answer). */
export const connect = async (
  dataDir: string,
  { timeout = GREETING_MS, anyProtocol = false, path }: ConnectOptions = {},
): Promise<Client> => {
  const line = openLine(dataDir, path);
  const hello = await greeting(line, { dataDir, timeout });
  if (hello.protocol !== PROTOCOL && !anyProtocol) {
    line.hangUp();
    throw otherProtocol(hello);
  }
  return clientOn(line, hello);
};

const greeting = async (
  line: ClientLine,
  { dataDir, timeout }: { readonly dataDir: string; readonly timeout: number },
): Promise<Hello> => {
  const pid = recordedPid(dataDir);
  const late = failedWith({ code: 'ERR0205', waited: ms(timeout), ...(pid === undefined ? {} : { pid }) });
  const timer = setTimeout(() => line.cut(late), timeout);
  try {
    return await new Promise<Hello>((resolve, reject) => {
      line.onAnswer((answer) => {
        if (answer.tag === 'hello') resolve(answer.hello);
      });
      void line.ended.then((failure) => reject(failure ?? late));
    });
  } finally {
    clearTimeout(timer);
  }
};

interface Told {
  progress: (text: string) => void;
  hello: (hello: Hello) => void;
}

const clientOn = (line: ClientLine, hello: Hello): Client => {
  const listeners = new Set<(view: View) => void>();
  const told: Told = { progress: () => undefined, hello: () => undefined };
  const calls = pendingCalls({ send: line.send, pid: hello.pid });
  line.onAnswer((answer) => {
    if (answer.tag === 'view') listeners.forEach((listener) => listener(answer.view));
    else if (answer.tag === 'progress') told.progress(answer.text);
    else if (answer.tag === 'hello') told.hello(answer.hello);
    else calls.settle(answer);
  });
  void line.ended.then((failure) => calls.fail(failure ?? line.gone()));
  line.watchPulse(hello.pid);
  return {
    hello,
    call: calls.call,
    onView: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onProgress: (listener) => void (told.progress = listener),
    onHello: (listener) => void (told.hello = listener),
    ended: line.ended,
    close: line.hangUp,
  };
};

interface Dialling extends Pick<ConnectOptions, 'anyProtocol'> {
  readonly timeout?: number | undefined;
}

/** Returns a client, or `undefined` without a supervisor (ERR0206). Throws any other failure. */
export const dial = async (
  dataDir: string,
  { timeout, ...whom }: Dialling = {},
): Promise<Client | undefined> => {
  try {
    return await connect(dataDir, { ...whom, ...(timeout !== undefined && { timeout }) });
  } catch (thrown) {
    if (isGone(thrown)) return undefined;
    throw thrown;
  }
};
