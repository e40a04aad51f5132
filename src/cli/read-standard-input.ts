// Reads a manifest from standard input, for a command line that names it by `-`.
import { join } from 'node:path';
import { MOST_BYTES } from '../manifest/read/manifest-files.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { type Failure, failure } from '../streams/views/errors/command-failure.ts';
import { sizeText } from '../streams/views/words/age-and-size.ts';
import type { Context } from './context.ts';
import { withInputPath } from './grammar/standard-input.ts';
import type { Parsed } from './grammar/parsed-line.ts';
import type { World } from './process-ports.ts';

/** The name of the manifest in messages and documents, as if it were a file in the working directory. */
const NAME = '<stdin>';

const unread = (detail: string): Failure => failure({ code: 'ERR0245', detail });

/** Resolves to all of standard input. Rejects with ERR0245 for a terminal, and for more than 8 MiB. */
export const readInput = async ({ keyboard, input }: World): Promise<Uint8Array> => {
  if (keyboard.isThere) throw unread('it is a terminal');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of input() as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_BYTES) break;
    }
  } catch (thrown) {
    throw unread(messageOf(thrown));
  }
  if (bytes > MOST_BYTES) throw unread(`it has more than ${sizeText(MOST_BYTES)}`);
  return Buffer.concat(chunks);
};

/** Resolves to the command line and the context with the manifest from standard input. */
export const withInput = async (
  parsed: Parsed,
  context: Context,
): Promise<{ readonly parsed: Parsed; readonly context: Context }> => {
  const path = join(context.world.directory, NAME);
  const given = { path, bytes: await readInput(context.world) };
  return { parsed: withInputPath(parsed, path), context: { ...context, given } };
};
