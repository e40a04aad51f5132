// What every command receives: data directory, output options, and access to the process's environment
// (`docs/behaviour.md`, "Names and places"; `docs/commands.md`, "Options that every command takes").
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { CommandName } from './grammar/command-table.ts';
import type { Flag } from './grammar/option-table.ts';
import type { Parsed } from './grammar/parsed-line.ts';
import type { Screen, World } from './process-ports.ts';
import type { GivenManifest } from '../manifest/read/reader.ts';
import { failure } from '../streams/views/errors/command-failure.ts';
import type { CommandStatus } from '../streams/wire/command-exit-status.ts';
import { type Layout, layoutOf } from '../streams/wire/layout.ts';
import { dataDirOf, isGiven } from '../os/choose-data-directory.ts';
import { realPlace } from '../os/files/directories.ts';
import type { PlacePorts } from '../sources/control/socket-place.ts';

export interface Context {
  readonly world: World;
  readonly layout: Layout;
  readonly dataDir: string;
  readonly sys: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** The manifest from standard input, if the command line names one by `-`. */
  readonly given?: GivenManifest;
  /** True if output on this screen is coloured. */
  readonly colorOn: (screen: Screen) => boolean;
}

type Environment = Readonly<Record<string, string>>;

/** Returns the path of the data directory as it was given, without resolving symbolic links. */
export const writtenDataDir = (sys: boolean, { environment, directory }: World): string =>
  dataDirOf(environment, { sys, directory });

/** True unless colours are forbidden: by `NO_COLOR` (not empty), by `--no-color` or by a dumb terminal. */
const wantsColor = (environment: Environment, flags: ReadonlySet<Flag>): boolean =>
  !isGiven(environment['NO_COLOR']) && !flags.has('no-color') && environment['TERM'] !== 'dumb';

/** Throws ERR0701 for a relative `SUP_DATA_DIR` in a working directory that was removed. */
const refuseNowhere = ({ environment, directory }: World, dataDir: string): void => {
  const { SUP_DATA_DIR } = environment;
  if (!isGiven(SUP_DATA_DIR) || isAbsolute(SUP_DATA_DIR) || existsSync(directory)) return;
  throw failure({ code: 'ERR0701', file: dataDir, detail: 'the working directory is gone' });
};

/**
 * Commands that accept `--sys` from users other than root. For such a user, `security` judges only
 * declarations.
 */
const WITHOUT_ROOT: ReadonlySet<CommandName> = new Set(['security']);

const needsRoot = (command: CommandName | undefined): boolean =>
  command === undefined || !WITHOUT_ROOT.has(command);

/** Returns the context. Throws ERR0704 for `--sys` without root, ERR0701 for an impossible data directory. */
export const contextOf = (flags: ReadonlySet<Flag>, world: World, command?: CommandName): Context => {
  const sys = flags.has('sys');
  if (sys && world.uid !== 0 && needsRoot(command)) throw failure({ code: 'ERR0704', uid: world.uid });
  const dataDir = realPlace(writtenDataDir(sys, world));
  refuseNowhere(world, dataDir);
  const color = wantsColor(world.environment, flags);
  return {
    world,
    dataDir,
    layout: layoutOf(dataDir),
    sys,
    json: flags.has('json'),
    quiet: flags.has('quiet'),
    verbose: flags.has('verbose'),
    colorOn: (screen) => color && screen.terminal,
  };
};

/** Returns the facts that determine where the supervisor creates its control socket. */
export const placePorts = ({ layout, sys, world: { environment, uid } }: Context): PlacePorts => ({
  ...{ layout, uid, sys },
  runtimeDir: environment['XDG_RUNTIME_DIR'],
});

/** Runs a command. Resolves to the exit status; `undefined` if a supervisor now runs in this process. */
export type Handler = (parsed: Parsed, context: Context) => Promise<CommandStatus | undefined>;
