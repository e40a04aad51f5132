// `sup mcp`: serves the Model Context Protocol on standard input and output, for agents (`docs/agents.md`).
import { type AllowRule, CHANGES, readRule } from '../../mcp/changes/allow-rules.ts';
import { isReaderGone } from '../../os/errno.ts';
import { EXIT } from '../../streams/wire/command-exit-status.ts';
import type { Handler } from '../context.ts';
import type { Parsed } from '../grammar/parsed-line.ts';
import { usageError } from '../grammar/usage-error.ts';
import { remark } from '../print.ts';
import { untilEnough } from '../until-interrupted.ts';

const rulesIn = ({ values }: Parsed): readonly AllowRule[] =>
  (values.allow ?? []).map((written) => {
    const rule = readRule(written);
    if (rule.ok) return rule.value;
    throw usageError(
      `--allow: ${rule.problem}`,
      `write --allow '<command>:<services>', such as 'restart:shop/*'; commands: ${CHANGES.join(', ')}, or * for all`,
    );
  });

/**
 * True for an error because the signal that ends the server has closed the input, or because the reader of
 * the output is gone.
 */
const isClosed = (thrown: unknown): boolean =>
  isReaderGone(thrown) ||
  (thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_STREAM_PREMATURE_CLOSE');

/**
 * How long this process may still run after a signal, ms. In this time the process records the calls, and the
 * client can read the remaining output.
 */
const FAREWELL_MS = 1_000;

export const mcp: Handler = async (parsed, context) => {
  const { world, dataDir, sys } = context;
  const rules = rulesIn(parsed);
  if (world.keyboard.isThere)
    remark(context, 'sup mcp speaks with agents on standard input; see docs/agents.md');
  const { serveMcp } = await import('../../mcp/serve-mcp.ts');
  await untilEnough(world, async (signal) => {
    const input = world.input();
    const end = (): void => {
      input.destroy();
      // This process usually exits when its output is written. The timer ends it even if the client does not
      // read the output.
      setTimeout(() => world.leave(EXIT.done), FAREWELL_MS).unref();
    };
    signal.addEventListener('abort', end, { once: true });
    try {
      await serveMcp({
        ...{ dataDir, sys, rules, version: world.version, input, signal },
        ...{ write: (text) => world.stdout.write(text), written: world.written },
      });
    } catch (thrown) {
      if (!isClosed(thrown)) throw thrown;
    }
  });
  return EXIT.done;
};
