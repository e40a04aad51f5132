// One session of the Model Context Protocol: `initialize`, the list of tools, and calls with progress and
// cancellation. Each call is answered once. A cancelled call is not answered.
import { type Fields, isFields } from '../../streams/wire/params/checked-fields.ts';
import {
  answerOf,
  type CallId,
  type ClientMessage,
  errorOf,
  type OneMessage,
  RPC_ERROR,
  type RpcCall,
} from './json-rpc.ts';

/** Versions of the protocol that this server speaks, newest first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The only version in which a client may send batches. */
const WITH_BATCHES = '2025-03-26';

/** Maximum number of calls that run at the same time. */
const MOST_CALLS = 32;

export interface CallContext {
  /** Aborts if the client cancels the call, or if the session ends. */
  readonly signal: AbortSignal;
  /** Sends a progress message to the client. Does nothing if the client has not asked for progress. */
  readonly progress: (text: string) => void;
}

/** The tools of a session. */
export interface Toolbox {
  readonly listed: readonly object[];
  /** Resolves to the result; `undefined` for a tool that does not exist. Never rejects. */
  readonly call: (name: string, given: Fields, context: CallContext) => Promise<object | undefined>;
  /** Records the numbers of calls that were counted but not recorded yet. */
  readonly end: () => Promise<void>;
}

interface SessionPorts {
  readonly version: string;
  readonly send: (message: object) => void;
  /** Returns the tools. `client`: the name that the client has sent with `initialize`. */
  readonly open: (client: string) => Toolbox;
  /** The text for the agent to read before its first call. */
  readonly instructions: string;
}

interface Opened {
  readonly tools: Toolbox;
  readonly protocol: string;
}

const clientIn = ({ clientInfo }: Fields): string =>
  isFields(clientInfo) && typeof clientInfo['name'] === 'string' ? clientInfo['name'] : 'unknown';

/**
 * Returns a function that sends progress messages to the client. It does nothing if the client has not asked
 * for progress.
 */
const progressFor = ({ _meta: meta }: Fields, send: SessionPorts['send']): CallContext['progress'] => {
  const token = isFields(meta) ? meta['progressToken'] : undefined;
  if (typeof token !== 'string' && typeof token !== 'number') return () => undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    const params = { progressToken: token, progress, message };
    send({ jsonrpc: '2.0', method: 'notifications/progress', params });
  };
};

export class Session {
  readonly #ports: SessionPorts;
  readonly #running = new Map<CallId, AbortController>();
  #opened: Opened | undefined;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  /** Carries out a message. Resolves after the answer is sent. */
  async take(message: ClientMessage): Promise<void> {
    const answer = await (message.tag === 'batch'
      ? this.#answerAll(message.messages)
      : this.#answer(message));
    if (answer !== undefined) this.#ports.send(answer);
  }

  /** Cancels all calls and ends the session. */
  async end(): Promise<void> {
    for (const call of this.#running.values()) call.abort();
    await this.#opened?.tools.end();
  }

  async #answerAll(messages: readonly OneMessage[]): Promise<object | undefined> {
    if (this.#opened?.protocol !== WITH_BATCHES)
      return errorOf(null, RPC_ERROR.invalid, `batches exist only in protocol ${WITH_BATCHES}`);
    const answers = await Promise.all(messages.map((one) => this.#answer(one)));
    const given = answers.filter((answer) => answer !== undefined);
    return given.length === 0 ? undefined : given;
  }

  async #answer(message: OneMessage): Promise<object | undefined> {
    switch (message.tag) {
      case 'answer':
        return undefined;
      case 'unreadable':
        return errorOf(message.id, message.code, message.message);
      case 'notification':
        if (message.method === 'notifications/cancelled') this.#cancel(message.params);
        return undefined;
      case 'call':
        return this.#carryOut(message.call);
    }
  }

  #cancel({ requestId }: Fields): void {
    if (typeof requestId === 'string' || typeof requestId === 'number') this.#running.get(requestId)?.abort();
  }

  async #carryOut(call: RpcCall): Promise<object | undefined> {
    const { id, method } = call;
    if (method === 'ping') return answerOf(id, {});
    if (method === 'initialize') return this.#initialize(call);
    if (this.#opened === undefined)
      return errorOf(id, RPC_ERROR.uninitialized, 'the first call must be initialize');
    const { tools } = this.#opened;
    if (method === 'tools/list') return answerOf(id, { tools: tools.listed });
    if (method === 'tools/call') return this.#callTool(tools, call);
    const known = 'initialize, ping, tools/list, tools/call';
    return errorOf(id, RPC_ERROR.unknownMethod, `no such method; this server has ${known}`);
  }

  #initialize({ id, params }: RpcCall): object {
    if (this.#opened !== undefined)
      return errorOf(id, RPC_ERROR.invalid, 'the session is initialized already');
    const wanted = params['protocolVersion'];
    const protocol = VERSIONS.find((version) => version === wanted) ?? VERSIONS[0];
    const { open, version, instructions } = this.#ports;
    this.#opened = { protocol, tools: open(clientIn(params)) };
    return answerOf(id, {
      protocolVersion: protocol,
      capabilities: { tools: {} },
      serverInfo: { name: 'sup', title: 'sup, a process supervisor', version },
      instructions,
    });
  }

  async #callTool(tools: Toolbox, { id, params }: RpcCall): Promise<object | undefined> {
    const { name, arguments: given = {} } = params;
    if (typeof name !== 'string') return errorOf(id, RPC_ERROR.params, 'name must be a text');
    if (!isFields(given)) return errorOf(id, RPC_ERROR.params, 'arguments must be an object');
    if (this.#running.has(id)) return errorOf(id, RPC_ERROR.invalid, 'this id is in use');
    if (this.#running.size >= MOST_CALLS)
      return errorOf(id, RPC_ERROR.busy, `more than ${MOST_CALLS} calls at once`);
    const control = new AbortController();
    this.#running.set(id, control);
    try {
      const context = { signal: control.signal, progress: progressFor(params, this.#ports.send) };
      const result = await tools.call(name, given, context);
      if (control.signal.aborted) return undefined;
      return result === undefined
        ? errorOf(id, RPC_ERROR.params, 'no such tool; tools/list has all')
        : answerOf(id, result);
    } finally {
      this.#running.delete(id);
    }
  }
}
