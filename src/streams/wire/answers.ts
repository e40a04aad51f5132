// Decodes the supervisor's messages for a client. Messages of an unknown form are dropped: the supervisor may
// be newer than the client.
import { isFields, type Fields } from './params/checked-fields.ts';
import { parseFrame } from './codec.ts';
import type { Guardian, Hello, RpcError, View } from './protocol.ts';

export type Answer =
  | { readonly tag: 'result'; readonly id: number; readonly result: unknown }
  | { readonly tag: 'error'; readonly id: number | null; readonly error: RpcError }
  | { readonly tag: 'hello'; readonly hello: Hello }
  | { readonly tag: 'view'; readonly view: View }
  | { readonly tag: 'progress'; readonly text: string };

/** Returns the decoded message; `undefined` if its form is not known. */
export const decodeAnswer = (text: string): Answer | undefined => {
  const frame = parseFrame(text);
  if (!frame.ok || frame.value['jsonrpc'] !== '2.0') return undefined;
  return 'method' in frame.value ? notification(frame.value) : reply(frame.value);
};

const notification = ({ method, params }: Fields): Answer | undefined => {
  if (method === 'hello' && isHello(params)) return { tag: 'hello', hello: params };
  if (method === 'view' && isView(params)) return { tag: 'view', view: params };
  if (method === 'progress' && isFields(params) && typeof params['text'] === 'string')
    return { tag: 'progress', text: params['text'] };
  return undefined;
};

const reply = ({ id, result, error }: Fields): Answer | undefined => {
  if (isRpcError(error)) return { tag: 'error', id: typeof id === 'number' ? id : null, error };
  return typeof id === 'number' ? { tag: 'result', id, result } : undefined;
};

const isHello = (value: unknown): value is Hello =>
  isFields(value) &&
  typeof value['protocol'] === 'number' &&
  typeof value['version'] === 'string' &&
  typeof value['pid'] === 'number' &&
  typeof value['since'] === 'string' &&
  isAbsentOr(isText, value['resumed']) &&
  isAbsentOr(isGuardian, value['guardian']);

const isAbsentOr = (is: (value: unknown) => boolean, value: unknown): boolean =>
  value === undefined || is(value);

const isText = (value: unknown): boolean => typeof value === 'string';

const isGuardian = (value: unknown): value is Guardian =>
  isFields(value) && typeof value['pid'] === 'number' && typeof value['restarts'] === 'number';

const isView = (value: unknown): value is View =>
  isFields(value) &&
  typeof value['full'] === 'boolean' &&
  Array.isArray(value['projects']) &&
  Array.isArray(value['gone']);

const isRpcError = (value: unknown): value is RpcError =>
  isFields(value) &&
  typeof value['code'] === 'number' &&
  typeof value['message'] === 'string' &&
  (value['warnings'] === undefined || Array.isArray(value['warnings']));
