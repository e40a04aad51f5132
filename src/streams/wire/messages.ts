// What the supervisor says over the wire, as JSON-RPC 2.0 messages.
import type { ErrorDocument } from './documents/documents.ts';
import type { Hello, Method, Methods, RpcMessage, View } from './protocol.ts';

/** JSON-RPC's own numbers; `failed` is ours: the method ran, and what went wrong is in `data`. */
export const RPC = {
  unparseable: -32700,
  invalid: -32600,
  unknownMethod: -32601,
  badParams: -32602,
  failed: -32000,
} as const;

/** The answer to the call with this id, which was carried out. */
export const resultOf = (id: number, result: Methods[Method]['result']): RpcMessage => ({
  jsonrpc: '2.0',
  id,
  result,
});

/** The answer to the call with this id, which was not: `data` is the whole error, its code among it. */
export const failureOf = (id: number, data: ErrorDocument, warnings: readonly string[] = []): RpcMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: RPC.failed, message: data.message, data, ...(warnings.length > 0 && { warnings }) },
});

/** The only answer to a client that is not admitted: it belongs to no call. */
export const refusalOf = (data: ErrorDocument): RpcMessage => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: RPC.failed, message: data.message, data },
});

/** The first word on every connection, before any call. */
export const helloOf = (hello: Hello): RpcMessage => ({ jsonrpc: '2.0', method: 'hello', params: hello });

/** What a command that takes its time is about, for people; it may come any number of times before the answer. */
export const progressOf = (text: string): RpcMessage => ({
  jsonrpc: '2.0',
  method: 'progress',
  params: { text },
});

/** What has changed, to whoever subscribed to the live view. */
export const viewOf = (view: View): RpcMessage => ({ jsonrpc: '2.0', method: 'view', params: view });
