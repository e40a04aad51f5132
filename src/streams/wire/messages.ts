// Builds the messages that the supervisor sends, in JSON-RPC 2.0.
import type { ErrorDocument } from './documents/documents.ts';
import type { Hello, Method, Methods, RpcMessage, View } from './protocol.ts';

/**
 * Error codes. All but `failed` are defined by JSON-RPC. `failed`: the method was called and failed; `data`
 * is the error.
 */
export const RPC = {
  unparseable: -32700,
  invalid: -32600,
  unknownMethod: -32601,
  badParams: -32602,
  failed: -32000,
} as const;

/** Returns the answer to a call that succeeded. */
export const resultOf = (id: number, result: Methods[Method]['result']): RpcMessage => ({
  jsonrpc: '2.0',
  id,
  result,
});

/** Returns the answer to a call that failed: `data` is the error with its code. */
export const failureOf = (id: number, data: ErrorDocument, warnings: readonly string[] = []): RpcMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: RPC.failed, message: data.message, data, ...(warnings.length > 0 && { warnings }) },
});

/** Returns the message that a refused client gets; it answers no call. */
export const refusalOf = (data: ErrorDocument): RpcMessage => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: RPC.failed, message: data.message, data },
});

/** Returns the first message on every connection, sent before any call. */
export const helloOf = (hello: Hello): RpcMessage => ({ jsonrpc: '2.0', method: 'hello', params: hello });

/** Returns a progress message for users. A long command may send any number of them before its answer. */
export const progressOf = (text: string): RpcMessage => ({
  jsonrpc: '2.0',
  method: 'progress',
  params: { text },
});

/** Returns a notification with changes for a subscriber of the live view. */
export const viewOf = (view: View): RpcMessage => ({ jsonrpc: '2.0', method: 'view', params: view });
