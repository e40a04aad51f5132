// `sup upgrade`: makes the supervisor's process execute this version of sup, with the Node that runs it, and
// stops no service. If this fails, the old program continues.
import { realpathSync } from 'node:fs';
import type { Client } from '../../client/client.ts';
import { ClientFailure } from '../../client/client-failure.ts';
import { connectIfRunning } from '../../client/wait-for-supervisor.ts';
import type { Context, Handler } from '../context.ts';
import { EXIT } from '../../streams/wire/command-exit-status.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import { printDocument, printLines, printWarnings, remark } from '../print.ts';
import type { Upgraded } from '../../streams/wire/protocol.ts';

/**
 * Timeout for the answer, ms. The supervisor has a shorter timeout for the upgrade, so that it can report a
 * failure in time.
 */
const LIMIT_MS = 30_000;

/** Explains the error of a supervisor that does not know the method `upgrade`, because it is too old. */
const explained = (thrown: unknown, { hello }: Client): unknown =>
  thrown instanceof ClientFailure && thrown.document.code === 'ERR0001'
    ? failure({
        code: 'ERR0501',
        detail: `the supervisor (sup ${hello.version}) cannot be upgraded while it runs; sup shutdown, then sup start`,
      })
    : thrown;

const ask = async (client: Client, { world }: Context): Promise<Upgraded> => {
  const order = { node: realpathSync(process.execPath), program: realpathSync(world.supervisor) };
  try {
    return await client.call('upgrade', order, { timeoutMs: LIMIT_MS });
  } catch (thrown) {
    throw explained(thrown, client);
  }
};

const print = (context: Context, upgraded: Upgraded, pid: number): void => {
  const { from, to, took_ms: took, warnings = [] } = upgraded;
  printWarnings(context, warnings);
  if (context.json)
    return printDocument(context, { schema: 'sup.upgrade/1', from, to, pid, took_ms: took, warnings });
  if (context.quiet) return;
  printLines(context, [
    `the supervisor is sup ${to} now, it was sup ${from}: pid ${pid} as before, nothing was stopped (${(took / 1000).toFixed(1)} s)`,
  ]);
};

export const upgrade: Handler = async (_parsed, context) => {
  const client = await connectIfRunning(context.dataDir, undefined, { anyProtocol: true });
  if (client === undefined) throw failure({ code: 'ERR0206', dataDir: context.dataDir });
  try {
    client.onProgress((text) => remark(context, text));
    print(context, await ask(client, context), client.hello.pid);
    return EXIT.done;
  } finally {
    client.close();
  }
};
