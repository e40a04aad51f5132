// `sup start`: registers and starts a manifest, starts registered services, or runs the command after `--`.
import type { Selection } from '../../../streams/domain/command.ts';
import type { Reading } from '../../../streams/domain/declared/manifest.ts';
import { starting } from '../../client/progress-texts.ts';
import { stageAdHoc } from './ad-hoc.ts';
import type { Context, Handler } from '../../context.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import { startReading } from '../../offline/manifest-reading.ts';
import { startSelection, supervisorFor } from '../../manifest-to-start.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { EXIT, type CommandStatus } from '../../../streams/wire/command-exit-status.ts';
import { exclusive, usageError } from '../../grammar/usage-error.ts';
import { valueOf, type Parsed } from '../../grammar/parsed-line.ts';
import { printDone, printDocument, printLines, remark } from '../../print.ts';
import { looseNames } from '../../../client/recorded.ts';
import { runCommand } from '../../client/run-command.ts';
import { claimDataDirectory } from '../../../sources/store/data-directory.ts';

interface Start {
  readonly selection: Selection;
  readonly reading?: Reading;
  readonly detached: boolean;
}

const begin = async (
  context: Context,
  { selection, reading = {}, detached }: Start,
): Promise<CommandStatus> => {
  const client = await supervisorFor(context, { selection, manifest: selection.manifest, reading });
  const isRead = Object.keys(reading).length > 0;
  const command = { type: 'start', selection, ...(isRead && { reading }) } as const;
  try {
    if (!detached) {
      const { startAttached } = await import('./start-attached.ts');
      return await startAttached(context, client, command);
    }
    const done = await runCommand(context, client, { command, activity: starting(selection) });
    printDone(context, done, { command: 'start' });
    return EXIT.done;
  } finally {
    client.close();
  }
};

/** True if the command line selects registered services, which excludes a command after `--`. */
const selects = ({ flags, operands, values: { config, profile, project, service } }: Parsed): boolean => {
  const isNarrowed = [config, profile, project, service].some((given) => given !== undefined);
  const here = flags.has('here');
  return isNarrowed || here || operands.length > 0;
};

/**
 * Starts the command after `--` as a service. If a supervisor already runs, only writes the manifest of the
 * service and starts nothing (`docs/commands.md`, "start").
 */
const startCommand = async (parsed: Parsed, context: Context, detached: boolean): Promise<CommandStatus> => {
  if (selects(parsed))
    throw exclusive(
      'a command behind -- excludes services, -c, -p, -s, --profile and --here',
      'sup start [--name name] -- command…',
    );
  const running = await connectIfRunning(context.dataDir);
  running?.close();
  const refusal = claimDataDirectory(context.dataDir, { sys: context.sys });
  if (refusal !== undefined) throw failure(refusal);
  const adHoc = { words: parsed.tail, name: valueOf(parsed, 'name'), directory: context.world.directory };
  const manifest = stageAdHoc(context.layout.units, adHoc, looseNames(context));
  if (running === undefined) return begin(context, { selection: { manifest }, detached });
  const line = `sup start${context.sys ? ' --sys' : ''} --config ${manifest}`;
  remark(context, 'not started; saved as a unit because a supervisor is already running. Start it with:');
  if (context.json) printDocument(context, { schema: 'sup.staged/1', manifest, command: line });
  else printLines(context, [line]);
  return EXIT.done;
};

export const start: Handler = async (parsed, context) => {
  const detached = parsed.flags.has('daemonize') || context.json;
  if (parsed.tail.length > 0) return startCommand(parsed, context, detached);
  if (parsed.values.name !== undefined)
    throw usageError('--name needs a command', 'sup start --name name -- command…');
  const selection = await startSelection(parsed, context);
  return begin(context, { selection, reading: startReading(parsed, context, selection), detached });
};
