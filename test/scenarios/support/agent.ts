// An agent: the official client of the Model Context Protocol with the built `sup mcp`.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { expectSchema } from './schemas.ts';
import type { Stage } from './stage.ts';

/** What a tool has answered. */
export interface Told {
  readonly text: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

export interface Agent {
  readonly tools: () => Promise<readonly string[]>;
  readonly call: (name: string, given?: Record<string, unknown>) => Promise<Told>;
  readonly close: () => Promise<void>;
}

/** Begins a session with rules such as `restart:shop/*`. */
export const agentOf = async (stage: Stage, ...rules: readonly string[]): Promise<Agent> => {
  const client = new Client({ name: 'robot', version: '1' });
  const args = [resolve('dist/sup.js'), 'mcp', ...rules.flatMap((rule) => ['--allow', rule])];
  const env = { PATH: process.env['PATH'] ?? '', SUP_DATA_DIR: stage.data };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given = {}) => {
      const result = await client.callTool({ name, arguments: given });
      const [first] = result.content as readonly { readonly text: string }[];
      const content = (result.structuredContent ?? {}) as Told['content'];
      return { text: first?.text ?? '', content, isError: result.isError === true };
    },
    close: () => client.close(),
  };
};

/** Returns the document of an answer, which fits its schema. */
export const documentIn = ({ content }: Told): Readonly<Record<string, unknown>> =>
  expectSchema(content['document'] as Record<string, unknown>);

/** Returns the code of an answer that is an error. */
export const codeOf = (told: Told): unknown => {
  expect(told.isError).toBe(true);
  return (documentIn(told)['error'] as Record<string, unknown>)['code'];
};
