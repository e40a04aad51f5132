// Calls that wait for their answers, each with a number and a timeout. When the connection ends, all these
// calls fail.
// Rules: `docs/behaviour.md`, "Control channel".
import { ms } from '../streams/domain/time.ts';
import type { Answer } from '../streams/wire/answers.ts';
import { encode } from '../streams/wire/codec.ts';
import type { Method, Methods } from '../streams/wire/protocol.ts';
import { failedWith, refusedBy, type ClientFailure } from './client-failure.ts';

/** Default timeout of all methods except `command`, ms. The method `command` has no default timeout. */
const QUESTION_MS = 5_000;

export interface CallOptions {
  /** Timeout of the call, ms. 0 means no timeout: the call waits as long as the supervisor lives. */
  readonly timeoutMs?: number;
}

interface PendingCalls {
  readonly call: <M extends Method>(
    method: M,
    params: Methods[M]['params'],
    options?: CallOptions,
  ) => Promise<Methods[M]['result']>;
  /** Resolves or rejects the call that this answer belongs to. */
  readonly settle: (answer: Extract<Answer, { tag: 'result' | 'error' }>) => void;
  /** Rejects all calls, also later ones, because no more answers will arrive. */
  readonly fail: (failure: ClientFailure) => void;
}

interface Waiting {
  readonly succeed: (result: unknown) => void;
  readonly fail: (failure: ClientFailure) => void;
  /** Stops the timer of the call. It is called before `succeed` or `fail`. */
  readonly leave: () => void;
}

interface CallPorts {
  /** The name of the calling program in the events of the supervisor. */
  readonly origin?: string | undefined;
  readonly send: (text: string) => void;
  readonly pid: number;
}

export const pendingCalls = ({ send, pid, origin }: CallPorts): PendingCalls => {
  const room = waitingRoom();
  const named = origin === undefined ? {} : { origin };
  let over: ClientFailure | undefined;
  const call: PendingCalls['call'] = (method, params, options) =>
    new Promise((resolve, reject) => {
      const limit = options?.timeoutMs ?? (method === 'command' ? 0 : QUESTION_MS);
      const late = (): void => room.take(id)?.fail(lateAnswer({ method, params, limit, pid }));
      const stopTimer = alarm(limit, late);
      const id = room.enter({
        // The greeting has proved that both sides use the same protocol version, so the result has this type.
        succeed: (result) => resolve(result as Methods[typeof method]['result']),
        fail: (failure) => reject(cutOff(failure, actOf(method, params))),
        leave: stopTimer,
      });
      if (over === undefined) send(encode({ jsonrpc: '2.0', id, method, params, ...named }));
      else room.failAll(over);
    });
  return {
    call,
    settle: (answer) => {
      if (answer.tag === 'result') room.take(answer.id)?.succeed(answer.result);
      else if (answer.id === null) room.failAll(refusedBy(answer.error));
      else room.take(answer.id)?.fail(refusedBy(answer.error));
    },
    fail: (failure) => {
      over = failure;
      room.failAll(failure);
    },
  };
};

interface WaitingRoom {
  /** Adds a call that waits for its answer. Returns the number of the call. */
  readonly enter: (call: Waiting) => number;
  /** Removes a call and returns it; `undefined` if it was already removed. */
  readonly take: (id: number) => Waiting | undefined;
  readonly failAll: (failure: ClientFailure) => void;
}

const waitingRoom = (): WaitingRoom => {
  const calls = new Map<number, Waiting>();
  let last = 0;
  const take = (id: number): Waiting | undefined => {
    const call = calls.get(id);
    calls.delete(id);
    call?.leave();
    return call;
  };
  return {
    take,
    enter: (call) => {
      last += 1;
      calls.set(last, call);
      return last;
    },
    failAll: (failure) => [...calls.keys()].forEach((id) => take(id)?.fail(failure)),
  };
};

/** Calls `ring` after `limit` ms, or never if `limit` is 0. Returns a function that stops the timer. */
const alarm = (limit: number, ring: () => void): (() => void) => {
  // `setTimeout` cannot represent 2^31 ms or more. Such a limit means no timeout.
  const timer = limit > 0 && limit < 2 ** 31 ? setTimeout(ring, limit) : undefined;
  return () => clearTimeout(timer);
};

interface Late {
  readonly method: Method;
  readonly params: unknown;
  readonly limit: number;
  readonly pid: number;
}

const lateAnswer = ({ method, params, limit, pid }: Late): ClientFailure =>
  method === 'command'
    ? failedWith({ code: 'ERR0111', command: commandName(params), waited: ms(limit) })
    : failedWith({ code: 'ERR0205', pid, waited: ms(limit) });

/**
 * Adds the name of the command to ERR0206, so that the error says that the supervisor may have carried out
 * the command. `act` is `undefined` for a call that changes nothing.
 */
const cutOff = (failure: ClientFailure, act: string | undefined): ClientFailure =>
  act !== undefined && failure.error?.code === 'ERR0206'
    ? failedWith({ ...failure.error, command: act })
    : failure;

/**
 * Methods other than `command` that change something. If the connection ends before the answer, the error
 * names the method.
 */
const ACTS: ReadonlySet<Method> = new Set(['upgrade', 'purge']);

/** Returns the name of the command as the user knows it; `undefined` for a method that changes nothing. */
const actOf = (method: Method, params: unknown): string | undefined => {
  if (method === 'command') return commandName(params);
  return ACTS.has(method) ? method : undefined;
};

const commandName = (params: unknown): string =>
  typeof params === 'object' && params !== null && 'type' in params ? String(params.type) : 'command';
