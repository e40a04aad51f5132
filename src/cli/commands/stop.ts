// `sup stop`: a service, a project, or everything. Without a supervisor it stops what the last one recorded.
import type { Selection } from '../../streams/domain/command.ts';
import { stopping } from '../client/activities.ts';
import { announce } from '../client/announce.ts';
import { connectIfRunning } from '../client/ensure-supervisor.ts';
import { EXIT } from '../exit-status.ts';
import { printDone } from '../print.ts';
import { runCommand } from '../client/run-command.ts';
import { selectionOf } from '../selection/selection.ts';
import type { Context } from '../context.ts';
import type { Handler } from '../handler.ts';

const stopOffline = async (context: Context, selection: Selection): Promise<void> => {
  const { offlineStop } = await import('../offline/offline-stop.ts');
  printDone(context, await offlineStop(context, selection), { command: 'stop' });
};

export const stop: Handler = async (parsed, context) => {
  const selection = selectionOf(parsed, context);
  const client = await connectIfRunning(context.dataDir);
  if (client === undefined) {
    await stopOffline(context, selection);
    return EXIT.done;
  }
  try {
    await announce(context, client, { command: 'stop', selection });
    const activity = stopping(selection);
    const done = await runCommand(context, client, { command: { type: 'stop', selection }, activity });
    printDone(context, done, { command: 'stop' });
    return EXIT.done;
  } finally {
    client.close();
  }
};
