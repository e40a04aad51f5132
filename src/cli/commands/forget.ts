// `sup forget`: drops the registration of a manifest, whose file may be gone already.
import { stopping } from '../client/activities.ts';
import { connect } from '../client/client.ts';
import { EXIT } from '../exit-status.ts';
import { printDone } from '../print.ts';
import { runCommand } from '../client/run-command.ts';
import { resolvedPath } from '../selection/selection.ts';
import type { Handler } from '../handler.ts';

export const forget: Handler = async ({ operands: [operand = ''] }, context) => {
  const manifest = resolvedPath(operand, context.world.directory);
  const client = await connect(context.dataDir);
  try {
    const activity = stopping({}, 'forgetting');
    const done = await runCommand(context, client, { command: { type: 'forget', manifest }, activity });
    printDone(context, done, { command: 'forget', beside: [`${manifest} is forgotten`] });
    return EXIT.done;
  } finally {
    client.close();
  }
};
