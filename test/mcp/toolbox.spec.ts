import { describe, expect, it } from 'vitest';
import type { Sup } from '../../src/client/api/sup-interface.ts';
import { failedWith } from '../../src/client/client-failure.ts';
import { McpTools } from '../../src/mcp/tools/toolbox.ts';

const CONTEXT = { signal: new AbortController().signal, progress: () => undefined };

/** A supervisor that permits no change. `recorded`: the calls that `sup mcp` asked it to record. */
const refusing = (): { readonly tools: McpTools; readonly recorded: readonly string[] } => {
  const recorded: string[] = [];
  const refuse = (): Promise<never> =>
    Promise.reject(failedWith({ code: 'ERR0241', change: 'stop', services: ['shop/web'] }));
  const sup: Pick<Sup, 'stop' | 'called' | 'status'> = {
    stop: refuse,
    status: () => new Promise(() => undefined),
    called: (call) => {
      recorded.push(call);
      return Promise.resolve();
    },
  };
  const rules = [{ changes: ['stop'], pattern: 'shop/*' }] as const;
  return { tools: new McpTools({ sup: sup as unknown as Sup, rules }), recorded };
};

describe('a call that changes something and is refused', () => {
  it.each([
    ['sup mcp refuses it', 'api/web', ['stop, refused']],
    ['the supervisor refuses it, and so has recorded it', 'shop/web', []],
  ])('%s', async (_, service, expected) => {
    const { tools, recorded } = refusing();
    const result = await tools.call('stop', { services: [service] }, CONTEXT);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { document: { error: { code: 'ERR0241' } } },
    });
    expect(recorded).toEqual(expected);
    await tools.end();
  });
});
