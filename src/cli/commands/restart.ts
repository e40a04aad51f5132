// `sup restart`: every registered manifest is read and checked before anything is touched (ERR0301), then what is
// selected is bounced.
import { restarting } from '../client/activities.ts';
import { announce } from '../client/announce.ts';
import { connect } from '../client/client.ts';
import { EXIT } from '../exit-status.ts';
import { printDone } from '../print.ts';
import { runCommand } from '../client/run-command.ts';
import { selectionOf } from '../selection/selection.ts';
import type { Handler } from '../handler.ts';

export const restart: Handler = async (parsed, context) => {
  const selection = selectionOf(parsed, context);
  const client = await connect(context.dataDir);
  try {
    await announce(context, client, { command: 'restart', selection });
    const activity = restarting(selection);
    const done = await runCommand(context, client, { command: { type: 'restart', selection }, activity });
    printDone(context, done, { command: 'restart' });
    return EXIT.done;
  } finally {
    client.close();
  }
};
