// `sup forget`: removes the registration of a manifest, even if its file is missing.
import { existsSync, rmSync } from 'node:fs';
import { stopping } from '../client/progress-texts.ts';
import { connectIfRunning } from '../../client/wait-for-supervisor.ts';
import type { Context, Handler } from '../context.ts';
import { EXIT } from '../../streams/wire/command-exit-status.ts';
import { requireOwn } from '../directory-owner.ts';
import { printDone } from '../print.ts';
import { runCommand } from '../client/run-command.ts';
import { readRecorded } from '../../client/recorded.ts';
import { registeredPath, resolvedPath } from '../../client/manifests/manifest-paths.ts';
import type { Done } from '../../streams/domain/command.ts';
import { NAME_PATTERN } from '../../streams/domain/ids.ts';

// `sup start -- command…` generates a manifest. `sup forget` of such a manifest also deletes the file.

/** Returns the resolved path of the generated manifest with this name, if there is one. */
const unitNamed = ({ layout, dataDir }: Context, name: string): string | undefined => {
  const path = `${layout.units}/${name}.yaml`;
  return NAME_PATTERN.test(name) && existsSync(path) ? resolvedPath(path, dataDir) : undefined;
};

/** True if sup generated this manifest. `manifest` is a resolved path. */
const isUnit = ({ layout, dataDir }: Context, manifest: string): boolean =>
  manifest.startsWith(`${resolvedPath(layout.units, dataDir)}/`);

const NOTHING_DONE: Done = { outcomes: [], warnings: [] };

const forgetOffline = async (context: Context, manifest: string): Promise<Done> => {
  const { offlineForget } = await import('../offline/offline-stop.ts');
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
  const done = staged ? NOTHING_DONE : await drop(context, manifest);
  if (ours) rmSync(manifest, { force: true });
  printDone(context, done, { command: 'forget', beside: [`${manifest} is forgotten`] });
  return EXIT.done;
};
