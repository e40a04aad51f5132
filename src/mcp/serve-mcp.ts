// `sup mcp`: a server of the Model Context Protocol on standard input and standard output. It is a client of
// the supervisor, as `sup` is, but offers an agent fewer commands than `sup` offers a user (D-164).
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '../client/api/connect.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { originIn } from '../streams/wire/params/checked-fields.ts';
import { documentJson } from '../streams/views/words/foreign-text.ts';
import type { AllowRule } from './changes/allow-rules.ts';
import { inputLines, LONGEST_LINE } from './protocol/input-lines.ts';
import { type ClientMessage, errorOf, readMessage, RPC_ERROR } from './protocol/json-rpc.ts';
import { Session } from './protocol/mcp-session.ts';
import { UNTRUSTED } from './tools/clean-document.ts';
import { McpTools } from './tools/toolbox.ts';

/** How long calls may still run after standard input has ended, ms. */
const FAREWELL_MS = 10_000;

interface McpOptions {
  readonly dataDir: string;
  readonly sys: boolean;
  readonly rules: readonly AllowRule[];
  readonly version: string;
  readonly input: AsyncIterable<Buffer>;
  readonly write: (text: string) => void;
  /** Resolves when all text that was passed to `write` is written, or the reader of the output is gone. */
  readonly written: () => Promise<void>;
  /** The signal that ends the server when it aborts. */
  readonly signal: AbortSignal;
}

const TOO_LONG: ClientMessage = {
  tag: 'unreadable',
  id: null,
  code: RPC_ERROR.parse,
  message: `the line has more than ${LONGEST_LINE} bytes`,
};

const instructionsFor = (rules: readonly AllowRule[]): string =>
  [
    'sup supervises services of this machine. Begin with status; use why for a service in trouble, then logs.',
    `${UNTRUSTED} The same is true for reasons, events and names.`,
    rules.length === 0
      ? 'This session only reads. A person allows changes with --allow.'
      : `Changes are limited to ${rules.map(({ changes, pattern }) => `${changes.join('|')}:${pattern}`).join(', ')}. Show a plan before apply.`,
  ].join(' ');

const messageIn = (line: string | undefined): ClientMessage | undefined => {
  if (line === undefined) return TOO_LONG;
  return line.trim() === '' ? undefined : readMessage(line);
};

/** Serves until the signal aborts, or until standard input has ended and the running calls are answered. */
export const serveMcp = async (options: McpOptions): Promise<void> => {
  const { dataDir, sys, rules, version, input, write, written, signal } = options;
  const send = (message: object): void => write(`${documentJson(message)}\n`);
  const session = new Session({
    ...{ version, send, instructions: instructionsFor(rules) },
    open: (client) => {
      const sup = connect({ dataDir, sys, origin: `mcp (${originIn(client)?.slice(0, 40) ?? 'unknown'})` });
      return new McpTools({ sup, rules });
    },
  });
  const underWay = new Set<Promise<void>>();
  for await (const line of inputLines(input)) {
    if (signal.aborted) break;
    const message = messageIn(line);
    if (message === undefined) continue;
    const work = session
      .take(message)
      .catch((thrown: unknown) => send(errorOf(null, RPC_ERROR.internal, messageOf(thrown))))
      .finally(() => underWay.delete(work));
    underWay.add(work);
    await written();
  }
  if (!signal.aborted) await Promise.race([Promise.all(underWay), pause(FAREWELL_MS)]);
  await session.end();
};
