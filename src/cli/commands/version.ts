// `sup version`: of this program and of the supervisor that is running, which may be an older one.
import { ClientFailure } from '../client/client-failure.ts';
import type { Context } from '../context.ts';
import { connectIfRunning } from '../client/ensure-supervisor.ts';
import { EXIT } from '../exit-status.ts';
import { printDocument, printLines } from '../print.ts';
import type { Handler } from '../handler.ts';

const GREETING_MS = 1_000;

/** `undefined`: none is running, or it does not say. */
const runningVersion = async ({ dataDir }: Context): Promise<string | undefined> => {
  try {
    const client = await connectIfRunning(dataDir, GREETING_MS, { anyProtocol: true });
    client?.close();
    return client?.hello.version;
  } catch (thrown) {
    if (thrown instanceof ClientFailure) return undefined;
    throw thrown;
  }
};

export const version: Handler = async (_parsed, context) => {
  const supervisor = await runningVersion(context);
  const { version: own } = context.world;
  if (context.json) {
    printDocument(context, { schema: 'sup.version/1', version: own, supervisor: supervisor ?? null });
    return EXIT.done;
  }
  const other =
    supervisor === undefined || supervisor === own
      ? []
      : [`the running supervisor is sup ${supervisor}: sup upgrade has it be sup ${own}, and stops nothing`];
  printLines(context, [`sup ${own}`, ...other]);
  return EXIT.done;
};
