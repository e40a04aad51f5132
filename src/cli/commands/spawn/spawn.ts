// `sup spawn`, inside a service: asks its supervisor for a child. The supervisor learns from the kernel which
// process asks. The environment only says where to connect.
// Rules: `docs/behaviour.md`, "Children that a service asks for", "The caller".
import { accessSync, constants } from 'node:fs';
import { isForbidden } from '../../../os/errno.ts';
import { isHiddenPlace } from '../../../os/files/directories.ts';
import { serviceSocketPath } from '../../../sources/control/socket-place.ts';
import { NAME_PATTERN, shownId } from '../../../streams/domain/ids.ts';
import type { ChildBegun } from '../../../streams/domain/service/child.ts';
import { timeTextOrNull } from '../../../streams/views/words/time-text.ts';
import { connect, type Client } from '../../../client/client.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import { runCommand } from '../../client/run-command.ts';
import type { Context, Handler } from '../../context.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { lengthArgument } from '../../grammar/argument-values.ts';
import { valueOf, type Parsed } from '../../grammar/parsed-line.ts';
import { printDocument, printLines } from '../../print.ts';
import type { SpawnedDocument } from '../../../streams/wire/documents/command-documents.ts';

const nameIn = (parsed: Parsed): string | undefined => {
  const name = valueOf(parsed, 'name');
  if (name === undefined || NAME_PATTERN.test(name)) return name;
  throw usageError(
    `--name: "${name}" is not a name`,
    'letters, digits, _ . and -, at most 64, the first a letter, a digit or _',
  );
};

const orderOf = (parsed: Parsed, { world }: Context): Parameters<typeof ask>[1] => {
  if (parsed.tail.length === 0)
    throw usageError('sup spawn needs a command', 'sup spawn [--name <name>] [--ttl <time>] -- <command>');
  const [name, ttl] = [nameIn(parsed), valueOf(parsed, 'ttl')];
  const unit = world.environment['SUP_UNIT'];
  return {
    argv: parsed.tail,
    ...(name !== undefined && { name }),
    ...(ttl !== undefined && { ttl: lengthArgument('--ttl', ttl) }),
    ...(unit !== undefined && unit !== '' && { unit }),
  };
};

/** Returns the data directory of this service's supervisor, even if `SUP_DATA_DIR` was changed. */
export const placeOf = ({ world, dataDir }: Context): string =>
  world.environment['SUP_SUPERVISOR'] ?? dataDir;

const isClosed = (dataDir: string): boolean => {
  try {
    accessSync(dataDir, constants.X_OK);
    return false;
  } catch (error) {
    return isForbidden(error);
  }
};

/**
 * Connects to the supervisor. Uses the service socket if this process cannot see or access the data
 * directory.
 */
const reach = (dataDir: string): Promise<Client | undefined> =>
  isClosed(dataDir) || isHiddenPlace(dataDir)
    ? connect(dataDir, { path: serviceSocketPath(dataDir, { sys: true }) })
    : connectIfRunning(dataDir);

/**
 * Connects to the supervisor of the service to which this process belongs. Throws ERR0206 if that supervisor
 * does not run.
 */
const ownSupervisor = async (context: Context): Promise<Client> => {
  const dataDir = placeOf(context);
  const client = await reach(dataDir);
  if (client === undefined) throw failure({ code: 'ERR0206', dataDir });
  return client;
};

const ask = async (
  context: Context,
  order: Extract<Parameters<typeof runCommand>[2]['command'], { type: 'spawn' }>['order'],
): Promise<ChildBegun> => {
  const client = await ownSupervisor(context);
  try {
    const activity = { verb: 'spawning', selection: {}, pending: () => false };
    const quiet = { ...context, quiet: true };
    const { child } = await runCommand(quiet, client, { command: { type: 'spawn', order }, activity });
    if (child === undefined)
      throw failure({
        code: 'ERR0001',
        detail: 'the answer of the supervisor does not name the child that began',
      });
    return child;
  } finally {
    client.close();
  }
};

const documentOf = ({ service, name, run, pid, depth, expires }: ChildBegun): SpawnedDocument => ({
  schema: 'sup.spawned/1',
  ...{ service, name, run, pid, depth },
  expires_at: timeTextOrNull(expires),
});

export const spawn: Handler = async (parsed, context) => {
  const child = await ask(context, orderOf(parsed, context));
  if (context.json) printDocument(context, documentOf(child));
  else if (!context.quiet)
    printLines(context, [`${child.name} of ${shownId(child.service)} runs, pid ${child.pid}`]);
  return EXIT.done;
};
