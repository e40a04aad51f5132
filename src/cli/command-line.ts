// Runs a command line and returns its exit status. Commands are loaded on demand, so that a short command
// starts quickly. All errors are reported here.
import { isHiddenPlace } from '../os/files/directories.ts';
import { contextOf, writtenDataDir, type Context } from './context.ts';
import { EXIT, type CommandStatus } from '../streams/wire/command-exit-status.ts';
import { dataDirectoryFailure, reportError } from './report-error.ts';
import { failure, Failure } from '../streams/views/errors/command-failure.ts';
import type { CommandName } from './grammar/command-table.ts';
import { translated } from './grammar/words-of-other-programs.ts';
import type { Flag } from './grammar/option-table.ts';
import type { Parsed } from './grammar/parsed-line.ts';
import { readLine } from './grammar/read-line.ts';
import { isFromInput } from './grammar/standard-input.ts';
import { handlerOf } from './command-handlers.ts';
import type { HostCommand } from './host/one-host.ts';
import type { Screen, World } from './process-ports.ts';

const askedVersion = (line: readonly string[]): Parsed => ({
  command: 'version',
  flags: new Set<Flag>(line.includes('--json') ? ['version', 'json'] : ['version']),
  values: {},
  operands: [],
  tail: [],
});

const printHelp = async (screen: Screen, about?: CommandName): Promise<void> => {
  const { helpPage } = await import('./grammar/help-page.ts');
  screen.write(`${await helpPage(about, screen.columns() ?? 100)}\n`);
};

/** Parses the command line. If the user asked for help, prints it and resolves to `undefined`. */
const understand = async (
  typed: readonly string[],
  { stdout, stderr }: World,
): Promise<Parsed | undefined> => {
  const line = translated(typed);
  if (line.length === 0) {
    await printHelp(stderr);
    return undefined;
  }
  const reading = readLine(line);
  if (reading.tag === 'parsed') return reading.parsed;
  if (reading.tag === 'version') return askedVersion(line);
  await printHelp(stdout, reading.about);
  return undefined;
};

/**
 * Commands for which the owner of the data directory is not checked. They do not use the directory, or they
 * report its problems (`doctor`).
 */
const WITHOUT_DATA: ReadonlySet<CommandName> = new Set(['validate', 'migrate', 'doctor']);

/** With `--sys`: throws ERR0701 if another user than root could have changed the data directory. */
const refuseStrange = async (command: CommandName, { sys, dataDir, world }: Context): Promise<void> => {
  if (!sys || world.uid !== 0 || WITHOUT_DATA.has(command)) return;
  const { distrustDataDirectory } = await import('../sources/store/data-directory.ts');
  const refusal = distrustDataDirectory(dataDir, writtenDataDir(sys, world));
  if (refusal !== undefined) throw failure(refusal);
};

/**
 * Commands that need no control socket. `event` uses the service socket. `spawn` uses the service socket if
 * it cannot reach the control socket.
 */
const WITHOUT_SUPERVISOR: ReadonlySet<CommandName> = new Set([
  ...WITHOUT_DATA,
  ...(['spawn', 'event', 'version', 'schema', 'completion', 'help'] as const),
]);

/** Throws ERR0750 if the command runs in a confined service that cannot see the data directory. */
const refuseHidden = (command: CommandName, { dataDir }: Context): void => {
  if (WITHOUT_SUPERVISOR.has(command) || !isHiddenPlace(dataDir)) return;
  const detail = 'it belongs to a confined service, from which the data directory is hidden';
  throw failure({ code: 'ERR0750', detail });
};

/**
 * Resolves to the error that is reported: for an unknown name (ERR0202) a more exact error if possible,
 * otherwise `thrown`.
 */
const explained = async (thrown: unknown, parsed: Parsed, context: Context): Promise<unknown> => {
  if (!(thrown instanceof Failure) || thrown.document.code !== 'ERR0202') return thrown;
  const { explainUnknown } = await import('./manifest-to-start.ts');
  return explainUnknown(thrown, parsed, context);
};

const perform = async (line: readonly string[], world: World): Promise<CommandStatus | undefined> => {
  const parsed = await understand(line, world);
  if (parsed === undefined) return line.length === 0 ? EXIT.usage : EXIT.done;
  // `sup dashboard --host` runs on this machine, and its page shows the supervisor of the other machine.
  if (parsed.values.host !== undefined && parsed.command !== 'dashboard') {
    const { onHosts } = await import('./host/on-hosts.ts');
    const report: HostCommand['report'] = (thrown, screen) =>
      reportError(thrown, screen, mannerOf(line, { ...world, stderr: screen }));
    return onHosts({ line: translated(line), parsed, world, report });
  }
  return carryOut(parsed, contextOf(parsed.flags, world, parsed.command));
};

const carryOut = async (parsed: Parsed, context: Context): Promise<CommandStatus | undefined> => {
  const handler = await handlerOf(parsed.command);
  refuseHidden(parsed.command, context);
  await refuseStrange(parsed.command, context);
  const whole = isFromInput(parsed)
    ? await (await import('./read-standard-input.ts')).withInput(parsed, context)
    : { parsed, context };
  try {
    return await handler(whole.parsed, whole.context);
  } catch (thrown) {
    throw dataDirectoryFailure(await explained(thrown, parsed, context), context.dataDir);
  }
};

/**
 * Returns the options for printing errors. Searches the words of the line for them, because an invalid line
 * cannot be parsed.
 */
const mannerOf = (
  line: readonly string[],
  { stderr, environment }: World,
): Parameters<typeof reportError>[2] => {
  const words = line.includes('--') ? line.slice(0, line.indexOf('--')) : line;
  const mono = words.includes('--no-color') || (environment['NO_COLOR'] ?? '') !== '';
  return {
    json: words.includes('--json'),
    sys: words.includes('--sys'),
    quiet: words.includes('--quiet') || words.includes('-q'),
    verbose: words.includes('--verbose') || words.includes('-v'),
    color: stderr.terminal && !mono && environment['TERM'] !== 'dumb',
  };
};

const COMPLETE = '__complete';
/** The command that `sup --host` runs on the other machine (D-166). */
const DIAL_STDIO = 'dial-stdio';

const answer = async (line: readonly string[], world: World): Promise<CommandStatus | undefined> => {
  if (line[0] === DIAL_STDIO) {
    const { serveDial } = await import('./host/serve-dial.ts');
    return serveDial({ world, run });
  }
  if (line[0] !== COMPLETE) return perform(line, world);
  const { complete } = await import('./commands/completion/complete.ts');
  await complete(line.slice(1), contextOf(new Set(), world));
  return EXIT.done;
};

/** Runs a command line. Resolves to its exit status; `undefined` if a supervisor now runs in this process. */
export const run = async (line: readonly string[], world: World): Promise<CommandStatus | undefined> => {
  try {
    const status = await answer(line, world);
    if (status !== undefined) await world.written();
    return status;
  } catch (thrown) {
    return reportError(thrown, world.stderr, mannerOf(line, world));
  }
};
