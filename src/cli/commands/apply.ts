// `sup apply`: checks the manifests first (ERR0301), then brings the services to what they declare. Without a
// supervisor it starts one, as `start` does.
import { applying } from '../client/activities.ts';
import { tellRolledBack } from '../client/tell-rolled-back.ts';
import { supervisorFor } from '../client/supervisor-for.ts';
import { runCommand } from '../client/run-command.ts';
import { EXIT } from '../../streams/wire/exit-status.ts';
import type { Handler } from '../handler.ts';
import { printDone } from '../print.ts';
import { takenUpLines } from '../render/lines/plan-lines.ts';
import { deployedSelection } from '../selection/selection.ts';
import { showPlan } from './plan.ts';

export const apply: Handler = async (parsed, context) => {
  const selection = deployedSelection(parsed, context, 'applying');
  if (parsed.flags.has('dry-run')) return showPlan(parsed, context, selection);
  const client = await supervisorFor(context, { selection });
  try {
    await tellRolledBack(context, client, selection);
    const command = { type: 'apply', selection } as const;
    const done = await runCommand(context, client, { command, activity: applying(selection) });
    const beside = takenUpLines(done.tables ?? []);
    const none = beside.length > 0 ? '0 services changed' : 'no changes';
    printDone(context, done, { command: 'apply', beside, none });
    return EXIT.done;
  } finally {
    client.close();
  }
};
