import fc from 'fast-check';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { inputLines, LONGEST_LINE } from '../../src/mcp/protocol/input-lines.ts';
import { readMessage } from '../../src/mcp/protocol/json-rpc.ts';
import { type CallContext, Session } from '../../src/mcp/protocol/mcp-session.ts';

interface Talk {
  readonly session: Session;
  readonly sent: object[];
  readonly say: (message: unknown) => Promise<void>;
  readonly ended: () => boolean;
}

/** A session with a tool `echo`, and one `wait` that ends when it is cancelled. */
const talk = (): Talk => {
  const sent: object[] = [];
  let ended = false;
  const wait = ({ signal, progress }: CallContext): Promise<object> => {
    progress('it waits');
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve({})));
  };
  const session = new Session({
    ...{ version: '9.9.9', instructions: 'read', send: (message) => sent.push(message) },
    open: (client) => ({
      listed: [{ name: client }],
      call: async (name, given, context) => {
        if (name === 'echo') return { given };
        return name === 'wait' ? wait(context) : undefined;
      },
      end: () => {
        ended = true;
        return Promise.resolve();
      },
    }),
  });
  const say = (message: unknown): Promise<void> => session.take(readMessage(JSON.stringify(message)));
  return { session, sent, say, ended: () => ended };
};

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const opened = async (protocolVersion = '2025-06-18'): Promise<Talk> => {
  const talking = talk();
  await talking.say({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } });
  return talking;
};

const call = (id: number, name: string, more: object = {}): object => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { a: 1 }, ...more } },
});

describe('a session of the Model Context Protocol', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2024-11-05'],
    ['1999-01-01', '2025-11-25'],
  ])('a client that asks for version %s gets %s', async (wanted, protocolVersion) => {
    const { sent } = await opened(wanted);
    expect(sent).toMatchObject([{ id: 0, result: { protocolVersion, capabilities: { tools: {} } } }]);
  });

  it('only ping is answered before initialize, and initialize only once', async () => {
    const { say, sent } = talk();
    await say({ jsonrpc: '2.0', id: 'p', method: 'ping' });
    await say({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    await say(INITIALIZE);
    await say(INITIALIZE);
    await say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await say({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    expect(sent).toMatchObject([
      { id: 'p', result: {} },
      { id: 1, error: { code: -32002 } },
      { id: 0, result: {} },
      { id: 0, error: { code: -32600 } },
      { id: 2, result: { tools: [{ name: 'test' }] } },
    ]);
  });

  it.each([
    [{ jsonrpc: '2.0', id: 1, method: 'resources/list' }, -32601],
    [call(1, 'nothing'), -32602],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 7 } }, -32602],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: [] } }, -32602],
    [{ jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32602],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
    [{ jsonrpc: '2.0', id: 1 }, -32600],
  ])('%j is answered with error %i', async (message, code) => {
    const { say, sent } = await opened();
    await say(message);
    expect(sent.at(-1)).toMatchObject({ id: 1, error: { code } });
  });

  it('a cancelled call gets no answer, and its id is free again', async () => {
    const { say, sent } = await opened();
    const waiting = say(call(5, 'wait', { _meta: { progressToken: 'token' } }));
    await say(call(5, 'echo'));
    await say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } });
    await waiting;
    await say(call(5, 'echo'));
    expect(sent.slice(1)).toMatchObject([
      {
        method: 'notifications/progress',
        params: { progressToken: 'token', progress: 1, message: 'it waits' },
      },
      { id: 5, error: { code: -32600 } },
      { id: 5, result: { given: { a: 1 } } },
    ]);
  });

  it('too many calls at once are refused, and the end cancels those under way', async () => {
    const { session, say, sent, ended } = await opened();
    const waiting = Array.from({ length: 32 }, (_, at) => say(call(at + 1, 'wait')));
    await say(call(99, 'echo'));
    expect(sent.at(-1)).toMatchObject({ id: 99, error: { code: -32000 } });
    await session.end();
    await Promise.all(waiting);
    expect([sent.length, ended()]).toEqual([2, true]);
  });

  it('a batch is answered as one in the version that has batches, and refused in others', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      7,
      { jsonrpc: '2.0', method: 'x' },
      call(2, 'echo'),
    ];
    const old = await opened('2025-03-26');
    await old.say(batch);
    expect(old.sent.at(-1)).toMatchObject([{ id: 1 }, { id: null, error: {} }, { id: 2, result: {} }]);
    const fresh = await opened();
    for (const one of [batch, [], Array(51).fill(7)]) {
      await fresh.say(one);
      expect(fresh.sent.at(-1)).toMatchObject({ id: null, error: { code: -32600 } });
    }
  });

  const key = fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'name', 'arguments', '_meta', 'requestId');
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('2.0', 'tools/call', 'tools/list', 'initialize', 'echo', 'notifications/cancelled'),
      fc.jsonValue(),
      fc.dictionary(key, tie('any')),
      fc.array(tie('any'), { maxLength: 3 }),
    ),
  })).any;

  it('whatever is sent, the session lives on and every request gets at most one answer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            value.map((one) => JSON.stringify(one)),
            fc.string(),
          ),
          { maxLength: 8 },
        ),
        async (lines) => {
          const { session, sent, say } = await opened();
          for (const line of lines) await session.take(readMessage(line));
          expect(sent.length).toBeLessThanOrEqual(lines.length + 1);
          await say({ jsonrpc: '2.0', id: 'still here', method: 'ping' });
          expect(sent.at(-1)).toEqual({ jsonrpc: '2.0', id: 'still here', result: {} });
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('lines of standard input', () => {
  const linesOf = async (...chunks: readonly string[]): Promise<readonly (string | undefined)[]> => {
    const lines: (string | undefined)[] = [];
    for await (const line of inputLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk)))))
      lines.push(line);
    return lines;
  };

  it('lines are put together, also the last one without a newline', async () => {
    expect(await linesOf('a', 'b\nc\n', '\n', 'd')).toEqual(['ab', 'c', '', 'd']);
    expect(await linesOf()).toEqual([]);
  });

  it('a line that is too long is skipped, and the next one is read', async () => {
    const long = 'x'.repeat(LONGEST_LINE / 2 + 1);
    expect(await linesOf(long, long, `${long}\nnext`)).toEqual([undefined, 'next']);
    expect(await linesOf(long, long)).toEqual([undefined]);
  });
});
