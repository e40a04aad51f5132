// `sup restart`: every registered manifest is read and checked before anything is touched (ERR0301), then what is
// selected is bounced, each service by its strategy. Without a supervisor one is started, as `start` does.
import { restarting } from '../client/activities.ts';
import { announce } from '../client/announce.ts';
import { doneStatus, printDone } from '../print.ts';
import { supervisorFor } from '../client/supervisor-for.ts';
import { runCommand } from '../client/run-command.ts';
import { selectionOf } from '../selection/selection.ts';
import type { Handler } from '../handler.ts';

export const restart: Handler = async (parsed, context) => {
  const selection = selectionOf(parsed, context);
  const withDependents = parsed.flags.has('with-dependents');
  const client = await supervisorFor(context, { selection });
  try {
    await announce(context, client, { command: 'restart', selection });
    const command = { type: 'restart', selection, ...(withDependents && { withDependents }) } as const;
    const activity = restarting(selection);
    const done = await runCommand(context, client, { command, activity });
    printDone(context, done, { command: 'restart' });
    return doneStatus(done);
  } finally {
    client.close();
  }
};
