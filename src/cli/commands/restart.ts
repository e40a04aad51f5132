// `sup restart`: checks the manifests (ERR0301), then restarts the selected services, each by its strategy.
// Starts a supervisor if none runs.
import { restarting } from '../client/progress-texts.ts';
import { agreedIn, announce } from '../client/confirm-bulk-command.ts';
import { EXIT } from '../../streams/wire/command-exit-status.ts';
import { printDone } from '../print.ts';
import { runCommand, tellRolledBack } from '../client/run-command.ts';
import { supervisorFor } from '../manifest-to-start.ts';
import { selectionOf } from '../selection.ts';
import type { Handler } from '../context.ts';

export const restart: Handler = async (parsed, context) => {
  const selection = selectionOf(parsed, context);
  const withDependents = parsed.flags.has('with-dependents');
  const client = await supervisorFor(context, { selection });
  try {
    const plan = { command: 'restart', selection, agreed: agreedIn(parsed) } as const;
    const projectsOf = async () => (await client.call('status', selection)).projects;
    if (!(await announce(context, plan, projectsOf))) return EXIT.failed;
    await tellRolledBack(context, client, selection);
    const command = { type: 'restart', selection, ...(withDependents && { withDependents }) } as const;
    const activity = restarting(selection);
    const done = await runCommand(context, client, { command, activity });
    printDone(context, done, { command: 'restart' });
    return EXIT.done;
  } finally {
    client.close();
  }
};
