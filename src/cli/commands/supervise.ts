// `sup supervise`: the supervisor in this very process, in the foreground, for init systems and containers.
import { pathToFileURL } from 'node:url';
import type { Handler } from '../handler.ts';

export const supervise: Handler = async (_parsed, { world, dataDir, sys }) => {
  process.argv.splice(1, process.argv.length, world.supervisor, '--foreground', ...(sys ? ['--sys'] : []));
  process.env['SUP_DATA_DIR'] = dataDir;
  await import(pathToFileURL(world.supervisor).href);
  return undefined;
};
