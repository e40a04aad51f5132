// `sup rollback`: applies to services the last good declaration before their current one. Reads no manifest.
import { rollingBack } from '../client/progress-texts.ts';
import { connect } from '../../client/client.ts';
import { runCommand } from '../client/run-command.ts';
import { EXIT } from '../../streams/wire/command-exit-status.ts';
import type { Handler } from '../context.ts';
import { printDone } from '../print.ts';
import { deployedSelection } from '../selection.ts';

export const rollback: Handler = async (parsed, context) => {
  const selection = deployedSelection(parsed, context, 'rolling back');
  const client = await connect(context.dataDir);
  try {
    const command = { type: 'rollback', selection } as const;
    const done = await runCommand(context, client, { command, activity: rollingBack(selection) });
    printDone(context, done, { command: 'rollback' });
    return EXIT.done;
  } finally {
    client.close();
  }
};
