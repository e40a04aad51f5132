import type { ErrorDocument } from './documents/documents.ts';
import type { Hello, Method, Methods, RpcMessage, View } from './protocol.ts';

/**
 * The error codes of answers. JSON-RPC defines all of them except `failed`. `failed`: the method failed with
 * the error in `data`.
 */
export const RPC = {
  unparseable: -32700,
  invalid: -32600,
  unknownMethod: -32601,
  badParams: -32602,
  failed: -32000,
} as const;

/** Returns the answer to a request that succeeded. */
export const resultOf = (id: number, result: Methods[Method]['result']): RpcMessage => ({
  jsonrpc: '2.0',
  id,
  result,
});

/** Returns the answer to a request that failed. `data`: the error with its code. */
export const failureOf = (id: number, data: ErrorDocument, warnings: readonly string[] = []): RpcMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: RPC.failed, message: data.message, data, ...(warnings.length > 0 && { warnings }) },
});

/** Returns the message to a client that the supervisor does not accept. It is not the answer to a request. */
export const refusalOf = (data: ErrorDocument): RpcMessage => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: RPC.failed, message: data.message, data },
});

/** Returns the first message on every connection. The supervisor sends it without a request. */
export const helloOf = (hello: Hello): RpcMessage => ({ jsonrpc: '2.0', method: 'hello', params: hello });

/** Returns a message about progress. A long command may send several of them. */
export const progressOf = (text: string): RpcMessage => ({
  jsonrpc: '2.0',
  method: 'progress',
  params: { text },
});

/** Returns a message with changed services, for the live view. */
export const viewOf = (view: View): RpcMessage => ({ jsonrpc: '2.0', method: 'view', params: view });
