// `sup forget`: removes the registration of a manifest, even if its file is gone. The generated manifest of a
// command is deleted too, even if never started.
import { existsSync, rmSync } from 'node:fs';
import { stopping } from '../client/activities.ts';
import { connectIfRunning } from '../client/ensure-supervisor.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../streams/wire/exit-status.ts';
import { requireOwn } from '../own-directory.ts';
import { printDone } from '../print.ts';
import { runCommand } from '../client/run-command.ts';
import { readRecorded } from '../offline/recorded.ts';
import { registeredPath } from '../selection/registered-path.ts';
import { isUnit, unitNamed } from '../selection/units.ts';
import type { Handler } from '../handler.ts';
import type { Done } from '../../streams/domain/command.ts';

const NOBODY: Done = { outcomes: [], warnings: [] };

const forgetOffline = async (context: Context, manifest: string): Promise<Done> => {
  const { offlineForget } = await import('../offline/offline-forget.ts');
  return offlineForget(context, manifest);
};

const drop = async (context: Context, manifest: string): Promise<Done> => {
  const client = await connectIfRunning(context.dataDir);
  if (client === undefined) return forgetOffline(context, manifest);
  try {
    const activity = stopping({}, 'forgetting');
    return await runCommand(context, client, { command: { type: 'forget', manifest }, activity });
  } finally {
    client.close();
  }
};

export const forget: Handler = async ({ operands: [operand = ''] }, context) => {
  const manifest = unitNamed(context, operand) ?? registeredPath(operand, context);
  const ours = isUnit(context, manifest) && existsSync(manifest);
  if (ours) requireOwn(context);
  const staged = ours && !readRecorded(context).manifests.includes(manifest);
  const done = staged ? NOBODY : await drop(context, manifest);
  if (ours) rmSync(manifest, { force: true });
  printDone(context, done, { command: 'forget', beside: [`${manifest} is forgotten`] });
  return EXIT.done;
};
