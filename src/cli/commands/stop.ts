// `sup stop`: stops services, projects or everything. Without a supervisor it stops the recorded services.
import type { StatusDocument } from '../../streams/wire/documents/documents.ts';
import { stopping } from '../client/progress-texts.ts';
import { agreedIn, announce, type BulkCommand, isToAsk } from '../client/confirm-bulk-command.ts';
import { connectIfRunning } from '../../client/wait-for-supervisor.ts';
import { EXIT, type CommandStatus } from '../../streams/wire/command-exit-status.ts';
import { printDone } from '../print.ts';
import { runCommand } from '../client/run-command.ts';
import { selectionOf } from '../selection.ts';
import type { Context, Handler } from '../context.ts';

const stopOffline = async (context: Context, plan: BulkCommand): Promise<CommandStatus> => {
  const { selection } = plan;
  const projectsOf = async (): Promise<StatusDocument['projects']> => {
    const { recordedStatus } = await import('../../client/manifests/recorded-status.ts');
    return recordedStatus(context, selection, undefined).projects;
  };
  if (isToAsk(context, plan) && !(await announce(context, plan, projectsOf))) return EXIT.failed;
  const { offlineStop } = await import('../offline/offline-stop.ts');
  printDone(context, await offlineStop(context, selection), { command: 'stop' });
  return EXIT.done;
};

export const stop: Handler = async (parsed, context) => {
  const selection = selectionOf(parsed, context);
  const plan = { command: 'stop', selection, agreed: agreedIn(parsed) } as const;
  const client = await connectIfRunning(context.dataDir);
  if (client === undefined) return stopOffline(context, plan);
  try {
    const projectsOf = async () => (await client.call('status', selection)).projects;
    if (!(await announce(context, plan, projectsOf))) return EXIT.failed;
    const activity = stopping(selection);
    const done = await runCommand(context, client, { command: { type: 'stop', selection }, activity });
    printDone(context, done, { command: 'stop' });
    return EXIT.done;
  } finally {
    client.close();
  }
};
