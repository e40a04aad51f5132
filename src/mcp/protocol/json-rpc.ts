// Reads the messages of JSON-RPC 2.0 that a client sends, one in each line. All input is checked.
import { type Fields, isFields } from '../../streams/wire/params/checked-fields.ts';

export type CallId = string | number;

export interface RpcCall {
  readonly id: CallId;
  readonly method: string;
  readonly params: Fields;
}

/** A message that is no valid request, with the error to send back. */
interface Unreadable {
  readonly tag: 'unreadable';
  readonly id: CallId | null;
  readonly code: number;
  readonly message: string;
}

export type OneMessage =
  | { readonly tag: 'call'; readonly call: RpcCall }
  | { readonly tag: 'notification'; readonly method: string; readonly params: Fields }
  /** The client's answer to a request. It is ignored, because this server sends no requests. */
  | { readonly tag: 'answer' }
  | Unreadable;

export type ClientMessage = OneMessage | { readonly tag: 'batch'; readonly messages: readonly OneMessage[] };

export const RPC_ERROR = {
  parse: -32_700,
  invalid: -32_600,
  unknownMethod: -32_601,
  params: -32_602,
  internal: -32_603,
  busy: -32_000,
  uninitialized: -32_002,
} as const;

/** Maximum number of messages in a batch. */
const LARGEST_BATCH = 50;

const isId = (id: unknown): id is CallId => typeof id === 'string' || Number.isSafeInteger(id);

const unreadable = (message: string, id: unknown = null, code: number = RPC_ERROR.invalid): Unreadable => ({
  ...{ tag: 'unreadable', code, message },
  id: isId(id) ? id : null,
});

/** Returns the error for an object that is no valid request; `undefined` if it is a request. */
const faultIn = ({ id, jsonrpc, method, params = {} }: Fields): Unreadable | undefined => {
  if (jsonrpc !== '2.0') return unreadable('jsonrpc must be "2.0"', id);
  if (typeof method !== 'string') return unreadable('method must be a text', id);
  return isFields(params) ? undefined : unreadable('params must be an object', id, RPC_ERROR.params);
};

const isAnswer = (value: Fields): boolean => !('method' in value) && ('result' in value || 'error' in value);

const messageIn = (value: unknown): OneMessage => {
  if (!isFields(value)) return unreadable('a message is an object');
  if (isAnswer(value)) return { tag: 'answer' };
  const fault = faultIn(value);
  if (fault !== undefined) return fault;
  const { id, method: written, params: given } = value;
  const [method, params] = [String(written), isFields(given) ? given : {}];
  if (!('id' in value)) return { tag: 'notification', method, params };
  return isId(id)
    ? { tag: 'call', call: { id, method, params } }
    : unreadable('id must be a text or a whole number');
};

/** Returns the message in a line. If the line has no valid message, returns the error to send back. */
export const readMessage = (line: string): ClientMessage => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return unreadable('the line is not JSON', null, RPC_ERROR.parse);
  }
  if (!Array.isArray(value)) return messageIn(value);
  if (value.length === 0) return unreadable('the batch is empty');
  if (value.length > LARGEST_BATCH) return unreadable(`the batch has more than ${LARGEST_BATCH} messages`);
  return { tag: 'batch', messages: value.map(messageIn) };
};

export const answerOf = (id: CallId, result: object): object => ({ jsonrpc: '2.0', id, result });

export const errorOf = (id: CallId | null, code: number, message: string): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
