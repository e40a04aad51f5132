// Encodes messages and decodes requests in JSON-RPC 2.0. Server and client use this module.
import {
  accept,
  checkFields,
  isFields,
  originIn,
  refuse,
  shown,
  type Checked,
  type Fields,
} from './params/checked-fields.ts';
import { RPC } from './messages.ts';
import {
  checkCommand,
  checkPurgeQuery,
  checkSamplesQuery,
  checkSelection,
  checkUpgrade,
} from './params/request-params.ts';
import type { Method, Methods, RpcError, RpcMessage } from './protocol.ts';

/** A request of a client, with parameters that have been checked. */
export type ClientRequest = {
  readonly [M in Method]: {
    readonly id: number;
    readonly method: M;
    readonly params: Methods[M]['params'];
    /** The name that the sending program gives itself. */
    readonly origin?: string;
  };
}[Method];

/**
 * A valid request, or the error with which an invalid request is answered. Its `id` is `null` if the id could
 * not be read.
 */
export type DecodedRequest =
  | { readonly ok: true; readonly request: ClientRequest }
  | { readonly ok: false; readonly id: number | null; readonly error: RpcError };

/** Returns the message as JSON without a newline. */
export const encode = (message: RpcMessage): string => JSON.stringify(message);

/** Decodes and checks a request. Returns an error for an invalid request; never throws. */
export const decodeRequest = (text: string): DecodedRequest => {
  const frame = parseFrame(text);
  if (!frame.ok) return refused(null, RPC.unparseable, frame.problem);
  const { id, jsonrpc, method, params } = frame.value;
  if (!isId(id)) return refused(null, RPC.invalid, `id: ${shown(id)} is not a whole number`);
  if (jsonrpc !== '2.0') return refused(id, RPC.invalid, `jsonrpc: ${shown(jsonrpc)} is not "2.0"`);
  if (!isMethod(method)) return refused(id, RPC.unknownMethod, `method: ${shown(method)} is not known`);
  const request = READERS[method](id, params);
  const named = originIn(frame.value['origin']);
  const origin = named === undefined ? {} : { origin: named };
  return request.ok
    ? { ok: true, request: { ...request.value, ...origin } }
    : refused(id, RPC.badParams, request.problem);
};

/** Returns the JSON object in a message; an error if the message is not a JSON object. */
export const parseFrame = (text: string): Checked<Fields> => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? accept(value) : refuse('the frame is not a JSON object');
  } catch {
    return refuse('the frame is not JSON');
  }
};

const read = <P>(params: Checked<P>, make: (params: P) => ClientRequest): Checked<ClientRequest> =>
  params.ok ? accept(make(params.value)) : params;

const READERS: Readonly<Record<Method, (id: number, params: unknown) => Checked<ClientRequest>>> = {
  command: (id, given) => read(checkCommand(given), (params) => ({ id, method: 'command', params })),
  status: (id, given) =>
    read(checkSelection(given, 'params'), (params) => ({ id, method: 'status', params })),
  inspect: (id, given) =>
    read(checkSelection(given, 'params'), (params) => ({ id, method: 'inspect', params })),
  samples: (id, given) => read(checkSamplesQuery(given), (params) => ({ id, method: 'samples', params })),
  metrics: (id, given) =>
    read(checkFields(given ?? {}, 'params', []), () => ({ id, method: 'metrics', params: {} })),
  environment: (id, given) =>
    read(checkFields(given ?? {}, 'params', []), () => ({ id, method: 'environment', params: {} })),
  upgrade: (id, given) => read(checkUpgrade(given), (params) => ({ id, method: 'upgrade', params })),
  purge: (id, given) => read(checkPurgeQuery(given), (params) => ({ id, method: 'purge', params })),
  watch: (id, given) => read(checkSelection(given, 'params'), (params) => ({ id, method: 'watch', params })),
};

const isMethod = (method: unknown): method is Method =>
  typeof method === 'string' && Object.hasOwn(READERS, method);

const isId = (id: unknown): id is number => typeof id === 'number' && Number.isSafeInteger(id) && id >= 0;

const refused = (id: number | null, code: number, message: string): DecodedRequest => ({
  ok: false,
  id,
  error: { code, message },
});
